import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type OpenedPage, openWidgets, startSearchSite } from '../../support/search-widgets.ts';
import type { WidgetPage, WidgetSite } from '../../support/widget-page.ts';

const BOX = '<site-search-box site="SITE" answers="off"></site-search-box>';
const SHADOW = "document.querySelector('site-search-box').shadowRoot";
const INPUT = '>>> input[part=input]';

let site: WidgetSite;
let page: WidgetPage;

beforeAll(async () => {
  site = await startSearchSite();
});
afterAll(() => site.end());
afterEach(() => page.close());

const open = async (html = BOX, options: OpenedPage = {}) => {
  page = await openWidgets(site, html, options);
};
const inShadow = <Value>(script: string) => page.evaluate(`${SHADOW}.${script}`) as Promise<Value>;
const isOpen = () => inShadow<boolean>("querySelector('.drop')?.matches(':popover-open') ?? false");
const options = () =>
  inShadow<string[]>("querySelectorAll('[role=option]').values().map(o => o.textContent.trim()).toArray()");
const showsResults = () => eventually(async () => (await inShadow<number>("querySelectorAll('.result').length")) > 0);

it('a box has its field before anything is loaded, and keeps what was typed, the focus and the selection', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await open(BOX, {
    answer: (request) => (request.url().includes('/widgets/') ? held.then(() => request.continue()) : undefined),
  });
  expect(page.requests.filter((request) => request.url().includes('/widgets/'))).toEqual([]);
  await page.click(INPUT);
  await page.keyboard.type('stol');
  await page.keyboard.press('ArrowLeft');
  release();
  await eventually(isOpen);
  await page.keyboard.type('o');
  expect(await inShadow("querySelector('input').value")).toBe('stool');
  await showsResults();
});

it('a box shows results in a popover that no overflow of the page cuts', async () => {
  await open(`<div style="overflow: hidden; height: 50px; width: 200px; transform: scale(1)">${BOX}</div>`);
  await page.click(INPUT);
  await page.keyboard.type('stool');
  await showsResults();
  const hit = await page.evaluate(`(() => {
    const { left, bottom, width } = ${SHADOW}.querySelector('.drop').getBoundingClientRect();
    const element = document.elementFromPoint(left + width / 2, bottom - 20);
    return [element?.localName, width];
  })()`);
  expect(hit).toEqual(['site-search-box', 420]);
});

it('a box closes by Escape, and when the focus or a click goes elsewhere', async () => {
  await open();
  await page.click(INPUT);
  await page.keyboard.type('stool');
  await showsResults();
  await page.keyboard.press('Escape');
  expect(await isOpen()).toBe(false);
  expect(await inShadow("querySelector('input').value")).toBe('stool');
  await page.click(INPUT);
  expect(await isOpen()).toBe(true);
  await page.click('h1');
  expect(await isOpen()).toBe(false);
  await page.focus(INPUT);
  expect(await isOpen()).toBe(true);
  await page.focus('#other');
  expect(await isOpen()).toBe(false);
});

it('a box suggests titles while results are on their way', async () => {
  await open(BOX, {
    answer: (request) => (request.url().includes('/search?') ? new Promise(() => undefined) : undefined),
  });
  await page.click(INPUT);
  await page.keyboard.type('lam');
  await eventually(async () => (await options()).includes('Lamps'));
  expect(await inShadow("querySelector('[role=option]').href")).toBe('https://www.example/house/lamps');
});

it('a box goes to the page of results by Enter, if the website has one', async () => {
  await open('<site-search-box site="SITE" action="/find" answers="off"></site-search-box>');
  await page.click(INPUT);
  await page.keyboard.type('lamp');
  await page.waitForSelector('>>> input[role=combobox]'); // the module of the box is there
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  expect(page.url()).toBe(`${site.url}find?q=lamp`);
});

it('a box is emptied by its button', async () => {
  await open();
  await page.click(INPUT);
  await page.keyboard.type('stool');
  await showsResults();
  await page.click('>>> [part=clear]');
  expect(await inShadow("querySelector('input').value")).toBe('');
  expect(await isOpen()).toBe(false);
  expect(await inShadow('activeElement.localName')).toBe('input');
});
