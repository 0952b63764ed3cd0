import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { isSearch, openWidgets, startSearchSite } from '../../support/search-widgets.ts';
import type { Screen, WidgetPage, WidgetSite } from '../../support/widget-page.ts';

const SHADOW = "document.querySelector('site-search-page').shadowRoot";
const INPUT = '>>> input[part=input]';

let site: WidgetSite;
let page: WidgetPage;

beforeAll(async () => {
  site = await startSearchSite();
});
afterAll(() => site.end());
afterEach(() => page.close());

const open = async (attributes = 'facets', screen: Screen = {}) => {
  page = await openWidgets(
    site,
    `<site-search-page site="SITE" answers="off" ${attributes}></site-search-page>`,
    screen,
  );
};
const inShadow = <Value>(script: string) => page.evaluate(`${SHADOW}.${script}`) as Promise<Value>;
const titles = () =>
  inShadow<string[]>("querySelectorAll('.hit h2').values().map((title) => title.textContent.trim()).toArray()");
const count = () => inShadow<string>("querySelector('.count')?.textContent ?? ''");
const values = (legend: string) =>
  inShadow<
    string[]
  >(`querySelectorAll('fieldset').values().filter((set) => set.querySelector('legend').textContent === '${legend}')
    .flatMap((set) => [...set.querySelectorAll('label')]).map((label) => label.textContent.replaceAll(/\\s+/g, ' ').trim()).toArray()`);
const parameters = () => page.evaluate('location.search') as Promise<string>;
const shows = (text: string) => eventually(async () => (await count()) === text);

async function search(query: string): Promise<void> {
  await page.click(INPUT, { count: 3 });
  await page.keyboard.type(query);
  await page.keyboard.press('Enter');
}

async function choose(value: string): Promise<void> {
  await eventually(async () =>
    inShadow(`querySelectorAll('label').values().some((label) => label.textContent.includes('${value}'))`),
  );
  await inShadow(`querySelectorAll('label').values().find((label) => label.textContent.includes('${value}')).click()`);
}

it('a page of results shows the total, and more results after the first', async () => {
  await open('');
  await search('stool');
  await shows('14 results');
  expect(await titles()).toHaveLength(10);
  await page.click('>>> [part=more]');
  await eventually(async () => (await titles()).length === 14);
  expect(new Set(await titles()).size).toBe(14);
  expect(await inShadow("querySelector('[part=more]')")).toBeNull();
  expect(await inShadow('activeElement.textContent')).toBe((await titles())[10]);
});

it('a page of results has facets with counts, and any of several values', async () => {
  await open();
  await search('stool');
  await shows('14 results');
  expect(await values('Tags')).toEqual(['stool 14', 'even 7', 'odd 7', 'oak 3']);
  await choose('oak');
  await shows('3 results');
  await eventually(async () => (await values('Tags')).includes('odd 7'));
  await choose('odd');
  await shows('9 results');
  expect(await inShadow("querySelectorAll('.chosen').values().map((chip) => chip.ariaLabel).toArray()")).toEqual([
    'Remove oak',
    'Remove odd',
  ]);
  await page.click('>>> .chosen');
  await shows('7 results');
  await page.click('>>> .chosen');
  await shows('14 results');
});

it('a page of results restricts numbers to a range, within the filters of the website', async () => {
  await open(`facets="floor tags" filters='{"tags":["odd"]}'`);
  await search('stool');
  await shows('7 results');
  expect(await values('Tags')).toEqual([]);
  expect(
    await inShadow("querySelectorAll('.range input').values().map((input) => input.placeholder).toArray()"),
  ).toEqual(['1', '3']);
  await page.type('>>> .range input', '2');
  await page.keyboard.press('Tab');
  await shows('3 results');
  expect(await parameters()).toBe('?q=stool&from-floor=2');
});

it('a page of results has its state in the address, through reload, back and forth', async () => {
  await open();
  await search('stool');
  await shows('14 results');
  await choose('oak');
  await shows('3 results');
  expect(await parameters()).toBe('?q=stool&filter-tags=oak');
  await page.reload({ waitUntil: 'networkidle0' });
  await shows('3 results');
  expect(await inShadow("querySelectorAll('input:checked').length")).toBe(1);
  await page.goBack();
  await shows('14 results');
  expect(await parameters()).toBe('?q=stool');
  await page.goBack();
  await eventually(async () => (await inShadow("querySelector('input').value")) === '');
  expect(await titles()).toEqual([]);
  await page.goForward();
  await shows('14 results');
});

it('a page of results adds one entry to the history for a query that is typed, not one for each letter', async () => {
  await open();
  const before = Number(await page.evaluate('history.length'));
  await page.click(INPUT);
  await page.keyboard.type('stool', { delay: 30 });
  await shows('14 results');
  expect(await page.evaluate('history.length')).toBe(before + 1);
});

it('a page of results leaves the address alone if the website wants that', async () => {
  await open('address="off"');
  await search('stool');
  await shows('14 results');
  expect(await parameters()).toBe('');
});

it('a page of results keeps the spelling as typed in the address', async () => {
  await open('');
  await search('linx install');
  await eventually(async () => (await titles())[0] === 'Install on Linux');
  await page.click('>>> button.plain');
  await eventually(async () => (await parameters()).includes('exact=1'));
  await page.reload({ waitUntil: 'networkidle0' });
  await eventually(async () => page.requests.filter(isSearch).at(-1)?.url().includes('exact=true'));
  await page.goBack();
  await eventually(async () => (await titles())[0] === 'Install on Linux');
});

it('the arrow keys go from the field through the results and back', async () => {
  await open('');
  await search('stool');
  await shows('14 results');
  await page.keyboard.press('ArrowDown');
  expect(await inShadow('activeElement.textContent')).toBe((await titles())[0]);
  await page.keyboard.press('ArrowDown');
  expect(await inShadow('activeElement.textContent')).toBe((await titles())[1]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await inShadow('activeElement.localName')).toBe('input');
});

it('the facets are behind a button on a phone', async () => {
  await open('facets', { width: 390 });
  await page.tap(INPUT);
  await page.keyboard.type('stool');
  await shows('14 results');
  const isShown = () => inShadow<boolean>("querySelector('.pane').checkVisibility()");
  expect(await isShown()).toBe(false);
  await page.tap('>>> .disclosure');
  expect(await isShown()).toBe(true);
  expect(await inShadow("querySelector('.disclosure').ariaExpanded")).toBe('true');
});

it('a page of results searches a group, and records a click for the site of the result', async () => {
  const { body } = await site.service.api('POST', '/groups', {
    name: 'All',
    siteIds: [site.siteId],
    publicAccess: { enabled: true, allowedDomains: ['*'] },
  });
  page = await openWidgets(site, `<site-search-page group="${body.groupId}" answers="off"></site-search-page>`);
  await page.evaluate("addEventListener('site-search-select', (event) => event.preventDefault())");
  await search('lamp');
  await eventually(async () => (await titles())[0] === 'Lamps');
  expect(await inShadow("querySelector('.crumbs').textContent")).toContain('Test');
  await page.click('>>> .hit a');
  await eventually(async () =>
    page.requests.some(
      (request) => request.method() === 'POST' && request.url().endsWith(`/sites/${site.siteId}/events`),
    ),
  );
});
