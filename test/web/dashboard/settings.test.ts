import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../../support/answer.ts';
import { type WebSite, webSite } from '../../support/web-site.ts';
import { control, Owner, press, sees, tableOf, type } from './owner.ts';

const PAGE = { url: '/one', title: 'One', content: 'A page about lanterns.', contentType: 'text' };

describe('the settings of a site', () => {
  let owner: Owner;
  let receiver: WebSite;
  let siteId: string;
  beforeAll(async () => {
    receiver = await webSite({ '/hook': (_, response) => void response.writeHead(204).end() });
    owner = await Owner.start({ WEBHOOK_ALLOW_HOSTS: '127.0.0.1' });
  });
  beforeEach(async () => {
    siteId = await owner.site('Lanterns', [PAGE]);
  });
  afterAll(async () => {
    await owner.end();
    await receiver.close();
  });

  const site = async (): Promise<Json> => (await owner.service.api('GET', `/sites/${siteId}`)).body;
  const open = () => owner.open(`/sites/${siteId}/settings`);
  /** The button of the form with this fragment. */
  const saveIn = (form: string) => `#${form} button[type=submit]`;

  it('saves only what was changed', async () => {
    const page = await open();
    await type(page, 'Name', 'Lamps');
    await owner.service.api('PUT', `/sites/${siteId}`, { description: 'by somebody else' });
    await page.locator(saveIn('general')).click();
    await sees(page, 'Saved.');
    expect(await site()).toMatchObject({ name: 'Lamps', description: 'by somebody else' });
  });

  it('does not overwrite what somebody else has changed meanwhile, unless the user decides so', async () => {
    const page = await open();
    await type(page, 'Name', 'Mine');
    await owner.service.api('PUT', `/sites/${siteId}`, { name: 'Theirs' });
    await page.locator(saveIn('general')).click();
    await sees(page, 'Somebody else has changed this meanwhile');
    expect(await site()).toMatchObject({ name: 'Theirs' });
    const [, row = []] = await tableOf(page, 'Somebody else has changed this meanwhile');
    expect(row).toEqual(['Name', 'Lanterns', 'Theirs', 'Mine']);
    await press(page, 'Save mine over it');
    await sees(page, 'Saved.');
    expect(await site()).toMatchObject({ name: 'Mine' });
  });

  it('shows what somebody else has saved, if the user decides so', async () => {
    const page = await open();
    await type(page, 'Only these URLs', '/mine/*');
    await owner.service.api('PUT', `/sites/${siteId}`, { crawlerConfig: { includePatterns: ['/theirs/*'] } });
    await page.locator(saveIn('crawling')).click();
    await press(page, 'Take theirs');
    await control(page, 'textbox', 'Only these URLs').wait();
    const field = await page.waitForSelector('::-p-aria([role="textbox"][name="Only these URLs"])');
    expect(await field?.evaluate((area) => 'value' in area && area.value)).toBe('/theirs/*');
    expect(await site()).toMatchObject({ crawlerConfig: { includePatterns: ['/theirs/*'] } });
  });

  it('shows what the service refuses at its field', async () => {
    const page = await open();
    await type(page, 'Pages at most', '0');
    await page.locator(saveIn('crawling')).click();
    await page.waitForSelector('#crawling input[aria-invalid]');
    const ids = await page.$eval('#crawling input[aria-invalid]', (input) => input.getAttribute('aria-describedby'));
    const said = await Promise.all(
      String(ids)
        .split(' ')
        .map((id: string) => page.$eval(`[id="${id}"]`, ({ textContent }) => textContent)),
    );
    expect(said).toContain('must be at least 1');
  });

  it('tests patterns that are not saved', async () => {
    const page = await open();
    await type(page, 'Never these URLs', '*.pdf');
    await page.locator('summary ::-p-text(Test the patterns)').click();
    await type(page, 'URLs or paths to test, one a line, at most 20', '/a.pdf');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/b.html');
    await sees(page, 'leaves it: excluded');
    expect((await tableOf(page, 'Which URLs a crawl may visit')).slice(1)).toEqual([
      ['https://www.example/a.pdf', 'leaves it: excluded', '*.pdf'],
      ['https://www.example/b.html', 'visits it', ''],
    ]);
    expect(await site()).toMatchObject({ crawlerConfig: { excludePatterns: [] } });
  });

  it('asks before it is left with changes', async () => {
    const page = await open();
    await type(page, 'Name', 'Lamps');
    await control(page, 'link', 'Keys').click();
    await sees(page, 'Your changes are lost: General.');
    await press(page, 'Stay');
    await page.waitForSelector('[role=dialog]', { hidden: true });
    expect(new URL(page.url()).pathname).toBe(`/app/sites/${siteId}/settings`);
    await control(page, 'link', 'Keys').click();
    await press(page, 'Leave');
    await sees(page, 'API keys of the organisation');
  });

  it('adds a webhook, shows its secret once, and sends it a test', async () => {
    const page = await open();
    await press(page, 'Add a webhook');
    await type(page, 'Address', `${receiver.origin}/hook`);
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'It is shown only now');
    expect(await page.$eval('[role=dialog] code', (code) => code.textContent)).toMatch(/^whsec_/);
    await press(page, 'I have copied it');
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await press(page, `Send a test: ${receiver.origin}/hook`);
    await sees(page, 'Delivered: the address answered 204.');
    await sees(page, 'Last deliveries (1)');
    expect((await tableOf(page, 'Last deliveries (1)'))[1]).toContain('delivered');
  });

  it('says what deleting the site deletes, and asks for its name', async () => {
    const page = await open();
    await press(page, 'Delete site');
    await sees(page, '1 indexed page');
    await type(page, 'Type Lanterns to confirm', 'Lanterns');
    await page.locator('[role=dialog] ::-p-aria([name="Delete site"][role="button"])').click();
    await sees(page, 'Lanterns is deleted.');
    expect(await site()).toMatchObject({ code: 'not_found' });
  });

  it('leaves deleting to a key of the role owner', async () => {
    const page = await owner.open(`/sites/${siteId}/settings`, {}, await owner.key('admin'));
    await sees(page, 'This needs a key with the role owner');
    await press(page, 'Delete site');
    expect(await page.$('[role=dialog]')).toBeNull();
  });

  it('tries boosts beside the saved ones, and saves them', async () => {
    const pages = [PAGE, { ...PAGE, url: '/two', title: 'Two', content: 'A page about lanterns and their wicks.' }];
    await owner.service.api('POST', `/sites/${siteId}/pages?wait=true`, { pages });
    const page = await owner.open(`/sites/${siteId}/playground?q=lanterns`);
    await sees(page, '2 pages');
    const [, second = ''] = await page.$$eval('ol a[target]', (links) => links.map(({ textContent }) => textContent));
    await press(page, 'Add an address');
    await type(page, 'Address begins with', second === 'One' ? '/one' : '/two');
    await type(page, 'Factor (above 1 is higher)', '3');
    await sees(page, 'With your changes');
    await sees(page, 'moved up by 1');
    expect((await site()).urlBoosts).toEqual([]);
    await press(page, 'Save these boosts');
    await sees(page, 'Saved.');
    expect(listOf((await site()).urlBoosts)).toEqual([{ urlPrefix: `/${second.toLowerCase()}`, boost: 3 }]);
  });

  it('shows a widget live, warns that its website may not search, and lets it with one click', async () => {
    const page = await owner.open(`/sites/${siteId}/embed?widget=box`);
    await sees(page, 'www.example may not search yet');
    await press(page, 'Allow www.example');
    await sees(page, 'This live view is at');
    expect(await site()).toMatchObject({ publicAccess: { enabled: true, allowedDomains: ['www.example'] } });
    const shown = await page.waitForSelector('site-search-box');
    expect(await shown?.evaluate((element) => element.shadowRoot !== null)).toBe(true);
    const code = await page.$$eval('pre', (blocks) => blocks.map(({ textContent }) => textContent).join('\n'));
    expect(code).toContain(`<site-search-box site="${siteId}"></site-search-box>`);
  });

  it('throws nothing, and breaks no rule of the content security policy', () => {
    expect(owner.faults).toEqual([]);
  });
});
