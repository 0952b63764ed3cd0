import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { isSearch, type OpenedPage, openWidgets, respondJson, startSearchSite } from '../../support/search-widgets.ts';
import type { WidgetPage, WidgetSite } from '../../support/widget-page.ts';

const MODAL =
  '<site-search-button></site-search-button><site-search-modal site="SITE" answers="off"></site-search-modal>';
const SHADOW = "document.querySelector('site-search-modal').shadowRoot";
const OPTION = '>>> [role=option]';

let site: WidgetSite;
let page: WidgetPage;

beforeAll(async () => {
  site = await startSearchSite();
});
afterAll(() => site.end());
afterEach(() => page.close());

const open = async (html = MODAL, options: OpenedPage = {}) => {
  page = await openWidgets(site, html, options);
};
const inShadow = <Value>(script: string) => page.evaluate(`${SHADOW}.${script}`) as Promise<Value>;
const isOpen = () => inShadow<boolean>("querySelector('dialog').open");
const value = () => inShadow<string>("querySelector('input').value");
const active = () => inShadow<string | null>("querySelector('input').getAttribute('aria-activedescendant')");
const options = () =>
  inShadow<string[]>("querySelectorAll('[role=option]').values().map(o => o.textContent.trim()).toArray()");
const text = () =>
  inShadow<string>("querySelector('.body').textContent").then((all) => all.replaceAll(/\s+/g, ' ').trim());
const spoken = () => inShadow<string>("querySelector('[role=status]').textContent").then((all) => all.trim());
const isBusy = () => inShadow<boolean>("querySelector('[data-busy]') !== null");
const hotkey = () => combination('Control', 'k');

async function combination(modifier: 'Control' | 'Shift', key: 'k' | '/' | 'Enter'): Promise<void> {
  await page.keyboard.down(modifier);
  await page.keyboard.press(key);
  await page.keyboard.up(modifier);
}

async function search(query: string): Promise<void> {
  await page.evaluate(`document.querySelector('site-search-modal').open(${JSON.stringify(query)})`);
  await eventually(async () => (await text()).length > 0 && !(await isBusy()));
}

/** Events that the page received, by name with their detail. */
async function listen(
  names: readonly string[],
  cancel = false,
): Promise<() => Promise<readonly [string, Record<string, unknown>][]>> {
  await page.evaluate(`window.heard = []; for (const name of ${JSON.stringify(names)})
    addEventListener('site-search-' + name, (event) => {
      heard.push([name, JSON.parse(JSON.stringify(event.detail))]);
      if (${cancel}) event.preventDefault();
    })`);
  return () => page.evaluate('heard') as Promise<readonly [string, Record<string, unknown>][]>;
}

describe('the search modal', () => {
  it('the modal opens by Ctrl+K and by /, closes by Escape and the same keys, and gives the focus back', async () => {
    await open();
    await page.focus('#other');
    await hotkey();
    expect(await isOpen()).toBe(true);
    await page.keyboard.type('lamp');
    expect(await value()).toBe('lamp');
    await page.keyboard.press('Escape');
    expect(await isOpen()).toBe(false);
    expect(await page.evaluate('document.activeElement.id')).toBe('other');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('/');
    expect(await isOpen()).toBe(true);
    expect(await value()).toBe('lamp');
    await hotkey();
    expect(await isOpen()).toBe(false);
  });

  it('the modal is loaded when it is used, and takes what was typed before that', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await open(MODAL, {
      answer: (request) => (request.url().includes('/widgets/') ? held.then(() => request.continue()) : undefined),
    });
    expect(page.requests.filter((request) => request.url().includes('/widgets/'))).toEqual([]);
    await hotkey();
    await page.keyboard.type('stoll');
    await page.keyboard.press('ArrowLeft');
    release();
    await eventually(async () => (await options()).length > 0);
    await page.keyboard.type('s');
    expect(await value()).toBe('stolsl');
  });

  it('the modal leaves / to fields, and keys to those who have used them', async () => {
    await open();
    await page.focus('#other');
    await page.keyboard.press('/');
    expect(await page.evaluate("document.getElementById('other').value")).toBe('/');
    await page.evaluate("document.addEventListener('keydown', (event) => event.preventDefault())");
    await hotkey();
    expect(await isOpen()).toBe(false);
  });

  it('the modal has the shortcut that its attribute names, or none', async () => {
    await open(MODAL.replace('answers="off"', 'shortcut="mod+shift+f"'));
    const spokenShortcut = () =>
      page.evaluate(
        "document.querySelector('site-search-button').shadowRoot.querySelector('button').getAttribute('aria-keyshortcuts')",
      );
    expect(await spokenShortcut()).toBe('Control+Shift+F');
    await hotkey();
    expect(await isOpen()).toBe(false);
    await page.evaluate("document.querySelector('site-search-modal').setAttribute('shortcut', 'off')");
    await eventually(async () => (await spokenShortcut()) === '');
    await page.keyboard.press('/');
    expect(await isOpen()).toBe(false);
    await page.evaluate("document.querySelector('site-search-modal').setAttribute('shortcut', '/')");
    await page.keyboard.press('/');
    expect(await isOpen()).toBe(true);
  });

  it('the modal is one of several that reacts to a key, and says that it has', async () => {
    await open(`${MODAL}<site-search-modal id="second" site="SITE"></site-search-modal>`);
    await page.evaluate("addEventListener('keydown', (event) => { window.isTaken = event.defaultPrevented })");
    await hotkey();
    expect(await page.evaluate('isTaken')).toBe(true);
    expect(await page.evaluate("document.getElementById('second').shadowRoot.querySelector('dialog').open")).toBe(
      false,
    );
  });

  it('the modal selects nothing until an arrow key, and announces the number of results', async () => {
    await open();
    await search('lamp');
    expect(await active()).toBeNull();
    expect((await options())[0]).toContain('Lamps');
    await eventually(async () => (await spoken()) === '1 result');
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe('hit-0');
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBeNull();
    await search('zzxqy');
    await eventually(async () => (await spoken()).startsWith('No results for zzxqy'));
    await search('brumpf');
    await eventually(async () => (await spoken()).startsWith('No results for brumpf'));
  });

  it('the modal shows where a page is, its version and the sections that fit', async () => {
    await open();
    await search('oil lamp nine hours');
    const all = await text();
    expect(all).toContain('example › house › lamps');
    expect(all).toContain('2.1');
    const [, section] = await options();
    expect(section).toBe('Oil lamps');
    const href = await inShadow("querySelector('.section').href");
    expect(href).toBe('https://www.example/house/lamps#oil');
    expect(await inShadow<number>("querySelectorAll('.snippet mark').length")).toBeGreaterThan(0);
  });

  it('the modal opens what is selected by Enter, in a new tab with Ctrl, and records it', async () => {
    await open();
    const heard = await listen(['open', 'query', 'select'], true);
    await search('stool');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const url = await inShadow<string>("getElementById('hit-1').href");
    await page.keyboard.press('Enter');
    expect(await isOpen()).toBe(false);
    const events = await heard();
    expect(events.map(([name]) => name)).toEqual(['open', 'query', 'select']);
    expect(events[1]?.[1]).toMatchObject({ query: 'stool', totalResults: 14 });
    expect(events[2]?.[1]).toMatchObject({ url, position: 2, query: 'stool' });
    const clicks = page.requests.filter((request) => request.method() === 'POST' && request.url().endsWith('/events'));
    const bodies = await Promise.all(clicks.map((request) => request.fetchPostData()));
    expect(bodies.map((body) => JSON.parse(body ?? ''))).toEqual([{ type: 'click', query: 'stool', url, position: 2 }]);
    await eventually(async () => clicks[0]?.response()?.status() === 202);
  });

  it('the modal opens a tab by Ctrl+Enter, and stays', async () => {
    await open();
    await search('stool');
    await page.keyboard.press('ArrowDown');
    const opened = new Promise((resolve) => page.browser().once('targetcreated', resolve));
    await combination('Control', 'Enter');
    await opened;
    expect(await isOpen()).toBe(true);
    const tabs = await page.browser().pages();
    for (const tab of tabs) if (tab !== page && tab.url() !== 'about:blank') await tab.close();
  });

  it('the modal closes on a link to the same page', async () => {
    await open(MODAL, {
      answer: (request) =>
        isSearch(request)
          ? respondJson(request, 200, {
              query: 'x',
              results: [
                {
                  url: `${site.url}#words`,
                  title: 'Words',
                  snippet: '',
                  highlights: [],
                  score: 1,
                  metadata: { tags: [] },
                },
              ],
              totalResults: 1,
              timingMs: 1,
            })
          : undefined,
    });
    await search('words');
    await page.click(OPTION);
    await eventually(async () => !(await isOpen()));
    expect(await page.evaluate('location.hash')).toBe('#words');
  });

  it('the modal goes to the page of results by Enter without a selection, if the website has one', async () => {
    await open(MODAL.replace('answers', 'action="/find?from=modal" answers'));
    await search('lamp');
    expect((await options()).at(-1)).toBe('All results');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(`${site.url}find?from=modal&q=lamp`);
  });

  it('the modal says which spelling it searched, and searches for the words as typed', async () => {
    await open();
    await search('linx install');
    expect(await text()).toContain(
      'Showing results for linux install. Search for “linx install” instead'.replaceAll(/[“”]/g, ''),
    );
    await page.click('>>> button.plain');
    await eventually(async () => page.requests.some((request) => request.url().includes('exact=true')));
    await eventually(async () => !(await text()).includes('Showing results for'));
  });

  it('the modal says that a phrase was dropped', async () => {
    await open();
    await search('"team office" plan');
    expect(await text()).toContain('No page has the words in quotes together');
  });

  it('the modal shows the closest pages instead of bad results, and says so', async () => {
    await open();
    await search('price of a boat');
    expect(await text()).toMatch(/^Nothing here is clearly about that\. Closest:/);
    expect(await options()).toHaveLength(1);
    await eventually(async () => (await spoken()).startsWith('Nothing here'));
  });

  it('the modal searches with its filters, by attribute and property, and reads changed attributes', async () => {
    await open(MODAL.replace('answers', `filters='{"tags":"oak"}' answers`));
    await search('stool');
    expect(await options()).toHaveLength(3);
    await page.evaluate(`document.querySelector('site-search-modal').setAttribute('filters', '{"tags":["odd"]}')`);
    await eventually(async () => (await options()).length === 7);
    await page.evaluate(`document.querySelector('site-search-modal').filters = { tags: 'nothing' }`);
    await search('stools');
    expect(await options()).toHaveLength(0);
  });

  it('the modal asks the chat nothing and loads no code for answers if they are off', async () => {
    await open();
    await search('what does the team plan cost');
    expect(await options()).not.toContain('Ask: what does the team plan cost');
    expect(page.requests.filter((request) => /chat|answer/.test(request.url()))).toEqual([]);
  });

  it('the modal speaks the language of the page, with the texts that the page replaces', async () => {
    await open(MODAL.replace('answers', `labels='{"noneHint":"Fragen Sie uns.","nothing":1}' answers`), {
      lang: 'de-AT',
    });
    await search('zzxqy');
    expect(await text()).toBe('Keine Ergebnisse für zzxqy Fragen Sie uns.');
    expect(await inShadow("querySelector('input').placeholder")).toBe('Suchen');
    await page.evaluate("document.querySelector('site-search-modal').setAttribute('lang', 'fr')");
    await eventually(async () => (await text()).startsWith('Aucun résultat pour zzxqy'));
  });

  it('the modal shows its own parts for the empty state and the footer', async () => {
    await open(
      '<site-search-modal site="SITE"><p slot="empty">Try this</p><p slot="footer">Our foot</p></site-search-modal>',
    );
    await search('');
    expect(await inShadow<number>("querySelector('slot[name=empty]').assignedElements().length")).toBe(1);
    expect(await inShadow<number>("querySelector('slot[name=footer]').assignedElements().length")).toBe(1);
  });

  it('the modal opens from a button with a site of its own', async () => {
    await open('<site-search-button site="SITE" answers="off">Find</site-search-button>');
    await page.click('>>> button');
    const dialog =
      "document.querySelector('site-search-button').shadowRoot.querySelector('site-search-modal').shadowRoot.querySelector('dialog')";
    expect(await page.evaluate(`${dialog}.open`)).toBe(true);
    await page.keyboard.type('lamp');
    await eventually(async () => String(await page.evaluate(`${dialog}.textContent`)).includes('Oil lamps'));
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.localName')).toBe('site-search-button');
  });

  it('the modal makes links of web addresses only', async () => {
    const hostile = {
      title: '<img src=x onerror=alert(1)>',
      snippet: '<b>x</b>',
      highlights: [
        [0, 99],
        [2, 1],
        ['a', 3],
      ],
      score: 1,
      metadata: { tags: [] },
    };
    await open(MODAL, {
      answer: (request) =>
        isSearch(request)
          ? respondJson(request, 200, {
              query: 'x',
              results: [{ ...hostile, url: 'javascript:alert(1)' }],
              totalResults: 1,
              timingMs: 1,
            })
          : undefined,
    });
    await search('x');
    expect(await inShadow("querySelector('[role=option]').getAttribute('href')")).toBeNull();
    expect(await text()).toContain('<img src=x onerror=alert(1)>');
    expect(await inShadow<number>("querySelectorAll('img, b').length")).toBe(0);
  });
});

describe('a search modal whose service fails', () => {
  it('a modal whose service fails says what the service says, and tries again', async () => {
    let isBroken = true;
    await open(MODAL, {
      answer: (request) =>
        isSearch(request) && isBroken
          ? respondJson(request, 503, {
              error: 'The search index does not answer. Try again in a few seconds.',
              code: 'search_unavailable',
            })
          : undefined,
    });
    await search('lamp');
    expect(await text()).toBe(
      'The search did not work. The search index does not answer. Try again in a few seconds. Try again',
    );
    isBroken = false;
    await page.click('>>> button.chip');
    await eventually(async () => (await options()).length > 0);
  });

  it('a modal whose service fails waits as long as the service asks for, and then searches for what was typed last', async () => {
    let calls = 0;
    await open(MODAL, {
      answer: (request) => {
        if (!isSearch(request)) return undefined;
        calls += 1;
        return calls === 1
          ? respondJson(request, 429, { error: 'Too many', code: 'rate_limited', retryAfter: 7 })
          : undefined;
      },
    });
    await search('stool');
    expect(await text()).toMatch(/^There were too many searches\. The next one starts in [67] s\.$/);
    await search('lamp');
    expect(calls).toBe(1);
    await eventually(async () => (await options()).length > 0, 12_000);
    expect((await options())[0]).toContain('Lamps');
    expect(calls).toBe(2);
  });

  it('a modal whose service fails says that there is no connection, and goes on when there is', async () => {
    await open();
    await search('stool');
    await page.setOfflineMode(true);
    await search('lamp');
    expect(await text()).toMatch(/^You are offline/);
    await page.setOfflineMode(false);
    await eventually(async () => ((await options())[0] ?? '').includes('Lamps'));
  });

  it('a modal whose service fails tells the owner in the console why visitors may not search', async () => {
    await open(MODAL, {
      answer: (request) =>
        isSearch(request)
          ? respondJson(request, 403, { error: 'Public search is off for this site.', code: 'feature_disabled' })
          : undefined,
    });
    await search('lamp');
    expect(await text()).toBe('The search did not work. Public search is off for this site.');
    expect(page.said.join()).toContain('<site-search-modal>: Public search is off for this site.');
  });

  it('a modal whose service fails keeps the results of before while a search is slow, with a line', async () => {
    let release = () => {};
    await open(MODAL, {
      answer: (request) => {
        if (!isSearch(request) || !request.url().includes('lamp')) return undefined;
        return new Promise<void>((resolve) => {
          release = resolve;
        }).then(() => request.continue());
      },
    });
    await search('stool');
    await page.evaluate("document.querySelector('site-search-modal').open('lamp')");
    await eventually(isBusy);
    expect((await options())[0]).toContain('Stool');
    release();
    await eventually(async () => ((await options())[0] ?? '').includes('Lamps'));
    expect(await isBusy()).toBe(false);
  });
});
