import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { control, Owner, press, sees, tableOf } from './owner.ts';

const PAGE = { url: '/lantern', title: 'Lantern', content: 'A lantern burns oil.', contentType: 'text' };

describe('the screen of searches', () => {
  let owner: Owner;
  let siteId: string;
  beforeAll(async () => {
    owner = await Owner.start();
    siteId = await owner.site('Lanterns', [PAGE]);
    await owner.service.api('PUT', `/sites/${siteId}`, { publicAccess: { enabled: true, allowedDomains: ['*'] } });
    const site = `/public/sites/${siteId}`;
    const headers = { 'Content-Type': 'application/json' };
    const send = (path: string, body: object) =>
      owner.service.visit(site + path, { method: 'POST', headers, body: JSON.stringify(body) });
    for (const q of ['lantern', 'lantern', 'zeppelin']) await owner.service.visit(`${site}/search?q=${q}`);
    await send('/events', { type: 'click', query: 'lantern', url: 'https://www.example/lantern', position: 2 });
    await send('/events', { type: 'feedback', query: 'What burns?', helpful: false });
    await send('/chat', { message: 'Who invented zeppelins?' });
    const counted = async () => (await owner.service.api('GET', `/analytics?siteId=${siteId}`)).body;
    await eventually(async () => Number((await counted()).totalChats) === 1 || undefined, 15_000);
  });
  afterAll(() => owner.end());

  const open = (range = '7d') => owner.open(`/sites/${siteId}/searches?range=${range}`);

  it('has the values of each chart in a table', async () => {
    const page = await open();
    const days = await tableOf(page, 'Searches by day');
    expect(days[0]).toEqual(['Day (UTC)', 'Searches', 'Nothing found', 'Results opened']);
    expect(days).toHaveLength(8);
    expect(days.at(-1)?.slice(1)).toEqual(['3', '1', '1']);
    expect((await tableOf(page, 'Clicked positions by day')).at(-1)?.slice(1)).toEqual(['2']);
    expect((await tableOf(page, 'Most frequent queries')).slice(1)).toEqual([
      ['lantern', '2'],
      ['zeppelin', '1'],
    ]);
    expect((await tableOf(page, 'Nothing found')).slice(1)).toEqual([['zeppelin', '1']]);
    await sees(page, 'Best score of frequent queries');
    const scores = await tableOf(page, 'Best score of frequent queries');
    expect(scores).toHaveLength(11);
    expect(scores.slice(1).reduce((sum, [, searches]) => sum + Number(searches), 0)).toBe(3);
    expect((await tableOf(page, 'Questions by day')).at(-1)?.slice(1)).toEqual(['1', '1', '1']);
  });

  it('does not count its own searches for the scores', async () => {
    const { body } = await owner.service.api('GET', `/analytics?siteId=${siteId}`);
    expect(body.totalSearches).toBe(3);
  });

  it('names the values of a day to the keyboard', async () => {
    const page = await open();
    const slider = '::-p-aria([role="slider"][name="Values of the chart “Searches by day”"])';
    const said = () => page.$eval(slider, (element) => element.getAttribute('aria-valuetext'));
    await (await page.waitForSelector(slider))?.focus();
    expect(await said()).toMatch(/: Searches 3, Nothing found 1, Results opened 1$/);
    await page.keyboard.press('ArrowLeft');
    expect(await said()).toMatch(/: Searches 0, Nothing found 0, Results opened 0$/);
  });

  it('keeps its filters in the address', async () => {
    const page = await open('7d');
    await control(page, 'combobox', 'Period').fill('90d');
    await page.waitForFunction("location.search.includes('range=90d')");
    await page.reload({ waitUntil: 'networkidle0' });
    expect(await tableOf(page, 'Searches by day')).toHaveLength(91);
  });

  it('opens the playground with a query that found nothing', async () => {
    const page = await open();
    await page.locator('figure ::-p-aria([role="link"][name="zeppelin"])').click();
    await page.waitForFunction("location.pathname.endsWith('/playground')");
    await sees(page, 'zeppelin');
    expect(new URL(page.url()).searchParams.get('q')).toBe('zeppelin');
    await press(page, 'Search');
    await sees(page, '0 pages');
  });

  it('throws nothing, and breaks no rule of the content security policy', () => {
    expect(owner.faults).toEqual([]);
  });
});
