import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type WidgetPage, WidgetSite } from '../../support/widget-page.ts';

let site: WidgetSite;
let page: WidgetPage;

beforeAll(async () => {
  site = await WidgetSite.start();
});
afterAll(() => site.end());
afterEach(async () => {
  if (!page.isClosed()) await page.close();
});

type Data = Readonly<Record<string, string>>;

/** Escapes all but letters and digits, as Twig's `html_attr` does. */
const escaped = (text: string): string => text.replace(/[^\w.,-]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`);

function tag(name: string, data: Data): string {
  const attributes = Object.entries({ 'site-id': site.siteId, ...data });
  const written = attributes.map(([attribute, value]) => ` data-${attribute}="${escaped(value)}"`).join('');
  return `<script src="${site.root}v1/${name}.js"${written} async></script>`;
}

const placed = (name: string, data: Data) => `<div id="quant-search"></div>\n${tag(name, data)}`;

const document = (body: string, { lang = 'en', head = '' } = {}) =>
  `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8"><title>A node</title>${head}</head><body>${body}</body></html>`;

const attributeOf = (selector: string, name: string) =>
  page.evaluate(`document.querySelector('${selector}')?.getAttribute('${name}') ?? null`);
const count = (selector: string) => page.evaluate(`document.querySelectorAll('${selector}').length`);
const asked = (path: string) =>
  page.requests.filter((request) => request.url().includes(path)).map((each) => each.url());

/** Searches by the modal of the button in the page. */
async function search(query: string): Promise<void> {
  await page.click('>>> .button');
  await page.type('>>> dialog input', query);
  await eventually(async () =>
    asked('/search?').some((url) => url.includes(encodeURIComponent(query.split(' ')[0] ?? ''))),
  );
}

describe('a page as the Drupal module renders it', () => {
  it('has a search, a page of results and a chat, each with its own attributes', async () => {
    const filters = JSON.stringify({ tags: 'money' });
    page = await site.open(
      document(
        `<main>
          <div class="block">${placed('modal-widget', { theme: 'auto', color: '#10b981', placeholder: 'Search...', 'show-ai-answer': 'true', filters })}</div>
          <div class="block">${placed('search-page', { theme: 'light', color: '#10b981', facets: 'true', 'facet-position': 'left' })}</div>
        </main>
        ${tag('widget', { theme: 'dark', position: 'bottom-left', color: '#00d4aa', placeholder: 'Ask a question...', greeting: 'Hello "you" & <b>all</b>' })}`,
      ),
    );
    await eventually(async () => (await count('.block > #quant-search > *')) === 2);
    expect(await count('.block:first-child > #quant-search > site-search-button')).toBe(1);
    expect(await count('.block:last-child > #quant-search > site-search-page')).toBe(1);
    expect(await attributeOf('site-search-button', 'filters')).toBe(filters);
    expect(await attributeOf('site-search-button', 'answers')).toBe('auto');
    expect(await attributeOf('site-search-button', 'placeholder')).toBe('Search...');
    expect(await attributeOf('site-search-page', 'answers')).toBe('off');
    expect(await attributeOf('site-search-page', 'facets')).toBe('');
    expect(await attributeOf('site-search-page', 'facet-position')).toBe('left');
    expect(await attributeOf('site-search-page', 'filters')).toBeNull();
    expect(await attributeOf('site-search-chat', 'mode')).toBe('bubble');
    expect(await attributeOf('site-search-chat', 'position')).toBe('bottom-left');
    expect(await attributeOf('site-search-chat', 'theme')).toBe('dark');
    await page.click('site-search-chat >>> .button');
    await page.waitForSelector('>>> .greeting p');
    const greeting = "document.querySelector('site-search-chat').shadowRoot.querySelector('.greeting p').textContent";
    expect(await page.evaluate(greeting)).toBe('Hello "you" & <b>all</b>');
    expect(page.said).toEqual([]);
  });

  it('searches the service of the script with the filters of its tag', async () => {
    page = await site.open(document(placed('modal-widget', { filters: '{"tags":"money"}' })));
    await search('prices');
    const [first = ''] = asked('/search?');
    expect(first).toMatch(`${site.root}v1/public/sites/${site.siteId}/search?`);
    expect(new URL(first).searchParams.get('filters')).toBe('{"tags":"money"}');
  });

  it('opens by its shortcut, and asks the chat nothing without data-show-ai-answer', async () => {
    page = await site.open(document(placed('modal-widget', {})));
    await page.waitForSelector('>>> .button');
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await page.waitForSelector('>>> dialog[open] input');
    await page.keyboard.type('what does the team plan cost');
    await page.waitForSelector('>>> dialog a[href]');
    await page.keyboard.press('Enter');
    expect(asked('/chat')).toEqual([]);
  });

  it('sends the filters of the chat too', async () => {
    page = await site.open(document(tag('widget', { filters: '{"tags":"money"}' })));
    await page.click('>>> .button');
    await page.waitForSelector('>>> textarea');
    await page.type('>>> textarea', 'What does the team plan cost?');
    await page.keyboard.press('Enter');
    const request = await eventually(async () =>
      page.requests.find((each) => each.url().endsWith('/chat') && each.method() === 'POST'),
    );
    expect(JSON.parse(request.postData() ?? '').filters).toEqual({ tags: 'money' });
  });
});

describe('the tags of the older product', () => {
  it('wait for the body if they are in the head, and have one chat for two tags', async () => {
    const head = tag('widget', { theme: 'auto' }) + tag('modal-widget', {});
    const body = `<p>${'Words. '.repeat(5_000)}</p><div id="quant-search"></div>${tag('widget', { filters: '{"tags":"money"}' })}`;
    page = await site.open(document(body, { head }));
    await page.waitForSelector('#quant-search > site-search-button');
    await eventually(async () => (await attributeOf('site-search-chat', 'filters')) !== null);
    expect(await count('body > site-search-chat')).toBe(1);
  });

  it('take the place of the id if none is before the script, or else that of the script', async () => {
    page = await site.open(document(`<p>Before</p>${tag('search-page', {})}<div id="quant-search"></div>`));
    await page.waitForSelector('#quant-search > site-search-page');
    await page.close();
    page = await site.open(document(`<section>${tag('search-page', {})}</section>`));
    await page.waitForSelector('section > site-search-page');
  });

  it('work with filters that are no JSON, which the console says', async () => {
    page = await site.open(document(placed('modal-widget', { filters: '{"tags":' })));
    await search('prices');
    await page.waitForSelector('>>> dialog a[href]');
    expect(page.said.join()).toContain('data-filters must be a JSON object such as {"tags":"news"}, not {"tags":');
    expect(new URL(asked('/search?')[0] ?? '').searchParams.has('filters')).toBe(false);
  });

  it('make nothing without the id of a site', async () => {
    page = await site.open(
      document(`<div id="quant-search"></div><script src="${site.root}v1/modal-widget.js"></script>`),
    );
    expect(await count('#quant-search > *')).toBe(0);
    expect(page.said.join()).toContain('data-site-id');
  });

  it('treat a boolean that is not "true" as off', async () => {
    page = await site.open(document(placed('search-page', { 'show-ai-answer': 'false', facets: '1' })));
    await page.waitForSelector('site-search-page');
    expect(await attributeOf('site-search-page', 'answers')).toBe('off');
    expect(await attributeOf('site-search-page', 'facets')).toBeNull();
  });

  it('speak the language of the page', async () => {
    page = await site.open(document(tag('widget', {}) + placed('modal-widget', {}), { lang: 'de-CH' }));
    await page.waitForSelector('site-search-button');
    const text = (name: string) =>
      page.evaluate(`document.querySelector('site-search-${name}').shadowRoot.querySelector('.button').textContent`);
    expect(await text('chat')).toBe('Frage stellen');
    expect(await text('button')).toContain('Suchen');
  });

  it.each([
    ['search', 'modal-widget', 'site-search-button', 'input'],
    ['chat', 'widget', 'site-search-chat', 'textarea'],
  ])('tell the owner in the console why the %s does not work', async (_, name, element, field) => {
    const path = `/sites/${site.siteId}`;
    const settings: [object, string][] = [
      [{ enabled: false, allowedDomains: ['*'] }, 'publicAccess.enabled'],
      [{ enabled: true, allowedDomains: ['www.example'] }, `add ${new URL(site.url).origin} to the allowedDomains`],
      [{ enabled: true, allowedDomains: ['*'] }, ''],
    ];
    for (const [publicAccess, hint] of settings) {
      await site.service.api('PUT', path, { publicAccess });
      page = await site.open(document(placed(name, {})));
      await page.click(`${element} >>> .button`);
      await page.waitForSelector(`>>> dialog ${field}`);
      await page.type(`>>> dialog ${field}`, 'prices');
      await page.keyboard.press('Enter');
      if (hint)
        await eventually(async () => page.said.some((text) => text.startsWith('<site-search-') && text.includes(hint)));
      else await page.waitForSelector('>>> dialog a[href]');
      await page.close();
    }
    expect(page.said).toEqual([]);
  });
});

describe('the colour of a tag', () => {
  const COLOURS = [
    '#00d4aa',
    '#10b981',
    '#000',
    'white',
    'navy',
    'rgb(200 0 80)',
    'hsl(50 100% 50%)',
    '#808080',
    '#777',
  ];

  /** WCAG's contrast of the text of the bubble with its ground, as the browser paints it. */
  const CONTRAST = `(() => {
    const button = document.querySelector('site-search-chat').shadowRoot.querySelector('.button');
    const style = getComputedStyle(button);
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const luminance = (colour) => {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const parts = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
      const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [dark, light] = [luminance(style.color), luminance(style.backgroundColor)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  })()`;

  it.each(COLOURS)('%s has a text on it that can be read', async (color) => {
    page = await site.open(document(tag('widget', { color })));
    await page.waitForSelector('site-search-chat');
    expect(Number(await page.evaluate(CONTRAST))).toBeGreaterThan(4.5);
  });

  it('is that of the tag', async () => {
    page = await site.open(document(tag('widget', { color: '#10b981' })));
    await page.waitForSelector('site-search-chat');
    const ground =
      "getComputedStyle(document.querySelector('site-search-chat').shadowRoot.querySelector('.button')).backgroundColor";
    expect(await page.evaluate(ground)).toBe('rgb(16, 185, 129)');
  });

  it.each([
    'red; background: url(https://evil.example/x)',
    'url(https://evil.example/x)',
    '"><script>alert(1)</script>',
    '',
  ])('is left out if it is none: %j', async (color) => {
    page = await site.open(document(tag('widget', { color })));
    await page.waitForSelector('site-search-chat');
    expect(await attributeOf('site-search-chat', 'style')).toBeNull();
    expect(page.requests.filter((request) => request.url().includes('evil'))).toEqual([]);
  });

  it('is set under a policy that forbids styles in the markup', async () => {
    const host = site.root.slice(0, -1);
    page = await site.open(document(tag('widget', { color: '#10b981' })), {
      csp: `default-src 'none'; script-src ${host}; connect-src ${host}`,
    });
    await page.waitForSelector('site-search-chat');
    expect(Number(await page.evaluate(CONTRAST))).toBeGreaterThan(4.5);
    expect(page.said).toEqual([]);
  });
});

describe('the scripts', () => {
  it.each(['widget', 'modal-widget', 'search-page', 'site-search'])(
    'v1/%s.js may be used by any website',
    async (name) => {
      const { headers, status } = await fetch(`${site.root}v1/${name}.js`);
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toMatch(/^text\/javascript/);
      expect(headers.get('ETag')).toMatch(/./);
      expect(headers.get('Cross-Origin-Resource-Policy')).not.toBe('same-origin');
    },
  );
});
