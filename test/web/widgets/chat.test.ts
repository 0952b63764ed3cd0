import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { HTTPRequest } from 'puppeteer-core';
import { ChatServer } from '../../support/chat-server.ts';
import { eventually } from '../../support/eventually.ts';
import { accessibilityFaults, type Screen, type WidgetPage, WidgetSite } from '../../support/widget-page.ts';

const QUESTION = 'What does the team plan cost?';
const ANSWER =
  'The team plan costs 40 euros a month for ten people [1]. The basic plan costs 12 euros a month [1]. Prices do not ' +
  'include taxes [1].';
const FIELD = '>>> dialog textarea[part=input]';
const BUTTON = '>>> button[part=button]';
const CLOSE = '>>> button.close';
const IN_SHADOW = "document.querySelector('site-search-chat').shadowRoot";

let provider: ChatServer;
let site: WidgetSite;
let page: WidgetPage;
/** Answers the chat in place of the service, if set. */
let replaced: ((request: HTTPRequest) => Promise<void>) | undefined;

beforeAll(async () => {
  provider = await ChatServer.start();
  site = await WidgetSite.start(provider.env);
});
afterAll(async () => {
  await site.end();
  provider.close();
});
beforeEach(() => {
  provider.mood = 'well';
  provider.says = () => ANSWER;
  provider.pauseMs = 0;
  replaced = undefined;
});
afterEach(() => page.close());

type Options = Screen & { readonly attributes?: string; readonly lang?: string; readonly head?: string };

async function openChat({ attributes = '', lang = 'en', head = '', ...screen }: Options = {}): Promise<void> {
  page = await site.open(
    `<!doctype html>
    <html lang="${lang}">
      <title>A page</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      ${head}
      <main><h1>A page</h1><p>Words of the page.</p></main>
      <site-search-chat site="${site.siteId}" mode="bubble" ${attributes}></site-search-chat>
      <script async src="${site.root}v1/site-search.js"></script>
    </html>`,
    screen,
  );
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (replaced && request.url().endsWith('/chat') && request.method() === 'POST') void replaced(request);
    else void request.continue();
  });
  await page.click(BUTTON);
  await page.waitForSelector(FIELD);
}

async function ask(question = QUESTION): Promise<void> {
  await page.type(FIELD, question);
  await page.keyboard.press('Enter');
}

const inChat = (expression: string) => page.evaluate(`${IN_SHADOW}.${expression}`);
const textOf = async (selector: string) =>
  String(await inChat(`querySelector(${JSON.stringify(selector)})?.textContent ?? ''`))
    .replaceAll(/\s+/g, ' ')
    .trim();
const has = (selector: string) => page.waitForSelector(`>>> ${selector}`);
const chatRequests = (): readonly HTTPRequest[] =>
  page.requests.filter((request) => request.url().endsWith('/chat') && request.method() === 'POST');
const bodyOf = (request: HTTPRequest | undefined) => JSON.parse(request?.postData() ?? '{}');

async function events(): Promise<readonly object[]> {
  const sent = page.requests.filter((request) => request.url().endsWith('/events') && request.method() === 'POST');
  return sent.map(bodyOf);
}

const answerWith =
  (status: number, body: object | string, type = 'application/json') =>
  (request: HTTPRequest) =>
    request.respond({
      status,
      contentType: type,
      headers: { 'Access-Control-Allow-Origin': '*' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

describe('<site-search-chat>', () => {
  it('loads its code when it is opened, and that of Markdown for the first question: 20 kB each with all they need', async () => {
    await openChat();
    const weigh = async () => {
      const scripts = page.requests.map((request) => request.url()).filter((url) => url.includes('/widgets/'));
      const texts = await Promise.all(scripts.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())));
      return { scripts, weight: texts.reduce((sum, text) => sum + gzipSync(text).length, 0) };
    };
    const opened = await weigh();
    expect(opened.scripts.join()).toMatch(/\/widgets\/chat-[\w-]+\.js/);
    expect(opened.scripts.join()).not.toMatch(/markdown/);
    expect(opened.weight).toBeLessThan(20 * 1024);
    await ask();
    await has('.citation');
    expect((await weigh()).weight - opened.weight).toBeLessThan(20 * 1024);
  });

  it('asks nothing and loads nothing before it is opened', async () => {
    page = await site.open(
      `<site-search-chat site="${site.siteId}"></site-search-chat><script src="${site.root}v1/site-search.js"></script>`,
    );
    await page.waitForSelector(BUTTON);
    expect(page.requests.map((request) => new URL(request.url()).pathname).sort()).toEqual(['/', '/v1/site-search.js']);
  });

  it('takes the focus, and gives it back on Escape and on its button', async () => {
    await openChat();
    expect(await inChat('activeElement.localName')).toBe('textarea');
    expect(await inChat("querySelector('button[part=button]').ariaExpanded")).toBe('true');
    await page.keyboard.press('Escape');
    expect(await inChat("activeElement.getAttribute('part')")).toBe('button');
    expect(await inChat("querySelector('button[part=button]').ariaExpanded")).toBe('false');
    await page.keyboard.press('Enter');
    await eventually(async () => (await inChat('activeElement?.localName')) === 'textarea');
    await page.click(CLOSE);
    expect(await inChat("activeElement.getAttribute('part')")).toBe('button');
  });

  it('shows sources before the text, and the text while it is written', async () => {
    provider.pauseMs = 40;
    await openChat();
    await page.evaluate(`
      window.order = [];
      new MutationObserver(() => {
        for (const name of ['skeleton', 'sources', 'text', 'verdict'])
          if (${IN_SHADOW}.querySelector('.' + name) && !order.includes(name)) order.push(name);
      }).observe(${IN_SHADOW}, { subtree: true, childList: true });`);
    await ask('What is the price of the team plan?');
    await eventually(async () => (await textOf('.text')).includes('ten people'));
    expect(await textOf('.text')).not.toContain('taxes');
    await has('.verdict');
    expect(await textOf('.text')).toContain('Prices do not include taxes.');
    expect(await page.evaluate('order')).toEqual(['skeleton', 'sources', 'text', 'verdict']);
    expect(await textOf('.sources')).toContain('Prices www.example');
    const follows = `querySelector('.sources').compareDocumentPosition(${IN_SHADOW}.querySelector('.text'))`;
    expect(await inChat(follows)).toBe(4);
    expect(await inChat("querySelector('.citation').href")).toBe('https://www.example/prices');
  });

  it('sends the filters, the page that is read and the session', async () => {
    await openChat({ attributes: `filters='{"tags":"money"}' context-url="page"` });
    await ask();
    await has('.verdict');
    await ask('And the basic plan?');
    await eventually(async () => Number(await inChat("querySelectorAll('.verdict').length")) === 2);
    const [first, second] = chatRequests().map(bodyOf);
    expect(first).toEqual({ message: QUESTION, filters: { tags: 'money' }, contextUrl: site.url });
    expect(second.sessionId).toMatch(/^.{16,}$/);
    expect(await inChat("querySelectorAll('.question').length")).toBe(2);
  });

  it('forgets the session and the conversation with a new one', async () => {
    await openChat();
    await ask();
    await has('.verdict');
    await page.click('>>> button.new');
    expect(await inChat("querySelectorAll('.turn').length")).toBe(0);
    expect(await inChat('activeElement.localName')).toBe('textarea');
    await ask();
    await has('.verdict');
    expect(bodyOf(chatRequests().at(-1))).toEqual({ message: QUESTION });
  });

  it('keeps the conversation while it is closed, and stores nothing', async () => {
    await openChat();
    await ask();
    await has('.verdict');
    await page.keyboard.press('Escape');
    await page.click(BUTTON);
    expect(await textOf('.question')).toContain(QUESTION);
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(0);
  });

  it('ends the call of the model when it is stopped', async () => {
    provider.pauseMs = 150;
    await openChat();
    await ask('What is the monthly price of the team plan?');
    await has('.stop');
    await eventually(async () => (await textOf('.text')) !== '');
    const { left } = provider;
    await page.click('>>> .stop');
    await eventually(async () => provider.left === left + 1);
    expect(await textOf('.note')).toContain('Stopped');
    expect(await inChat("querySelector('.verdict')")).toBeNull();
  });

  it('says plainly that the pages do not answer, and offers a search', async () => {
    provider.says = () => 'NO_ANSWER';
    await openChat();
    await ask('How do I install the client on Linux?');
    await has('.offer');
    expect(await textOf('.refused .text')).toMatch(/^These pages do not answer this question/);
    expect(await inChat("querySelector('.verdict')")).toBeNull();
    await page.click('>>> .offer');
    await has('.found a');
    expect(await inChat("querySelector('.found a').href")).toMatch(/^https:\/\/www\.example\//);
  });

  it('says that it quotes when the model fails', async () => {
    provider.mood = 'failing';
    await openChat();
    await ask('What does the basic plan cost a month?');
    await has('.verdict');
    expect(await textOf('.note')).toContain('No assistant is available');
    expect(await textOf('.text')).toContain('12 euros');
  });

  it('says how long to wait after too many questions, and asks again then', async () => {
    await openChat();
    const body = { error: 'Too many requests.', code: 'rate_limited', retryAfter: 2 };
    replaced = answerWith(429, body);
    await ask();
    await has('.fault');
    expect(await textOf('.fault')).toMatch(/too many questions\. The next one is possible in [12] s/);
    expect(await inChat("querySelector('.fault button')")).toBeNull();
    replaced = undefined;
    await has('.fault button');
    await page.click('>>> .fault button');
    await has('.verdict');
  });

  it('shows the sentence of the service for an error, which the console tells the owner', async () => {
    await openChat();
    replaced = answerWith(403, { error: 'Chat is off for this site.', code: 'feature_disabled' });
    await ask();
    await has('.fault');
    expect(await textOf('.fault')).toBe('There is no answer at the moment. Chat is off for this site. Try again');
    expect(page.said).toContain('<site-search-chat>: Chat is off for this site.');
  });

  it('says that the visitor is offline, and that an answer broke off, with what there is of it', async () => {
    await openChat();
    await page.setOfflineMode(true);
    await ask();
    await has('.fault');
    expect(await textOf('.fault p')).toBe('You are offline. Ask again when you are connected.');
    await page.setOfflineMode(false);
    const sources = { sources: [{ url: 'https://www.example/prices', title: 'Prices', relevance: 1, score: 1 }] };
    const stream = `event: sources\ndata: ${JSON.stringify(sources)}\n\nevent: token\ndata: {"text":"The team"}\n\n`;
    replaced = answerWith(200, stream, 'text/event-stream');
    await page.click('>>> .fault button');
    await eventually(async () => (await textOf('.text')) === 'The team');
    expect(await textOf('.fault')).toContain('does not answer');
  });

  it('sends whether an answer helped, with a comment', async () => {
    await openChat();
    await ask();
    await has('.verdict');
    await page.click('>>> .verdict button:nth-of-type(2)');
    await page.type('>>> .comment textarea', 'The yearly price');
    await page.click('>>> .comment button');
    await eventually(async () => (await textOf('.verdict')).includes('Thank you'));
    await ask('What does the basic plan cost?');
    await eventually(async () => Number(await inChat("querySelectorAll('.verdict').length")) === 2);
    await page.click('>>> .turn:last-child .verdict button');
    const session = expect.stringMatching(/.{16,}/);
    expect(await eventually(async () => (await events()).length === 2 && events())).toEqual([
      { type: 'feedback', query: QUESTION, sessionId: session, helpful: false, comment: 'The yearly price' },
      { type: 'feedback', query: 'What does the basic plan cost?', sessionId: session, helpful: true },
    ]);
  });

  it('sends a "no" without a comment once, also if the visitor asks on', async () => {
    await openChat();
    await ask();
    await has('.verdict');
    await page.click('>>> .verdict button:nth-of-type(2)');
    await page.click('>>> button.new');
    expect(await events()).toHaveLength(1);
  });

  it('tells the page of the answer and of the source that is opened, and the service of the latter', async () => {
    await openChat();
    await page.evaluate(`
      window.told = [];
      for (const name of ['open', 'answer', 'select'])
        document.addEventListener('site-search-' + name, ({ type, detail }) => told.push({ type, detail }));
      document.addEventListener('click', (event) => event.preventDefault());`);
    await ask();
    await has('.verdict');
    await page.click('>>> .citation');
    const [answered, selected] = (await page.evaluate('told')) as { type: string; detail: Record<string, unknown> }[];
    expect(answered).toMatchObject({ type: 'site-search-answer', detail: { question: QUESTION } });
    expect(answered?.detail.answer).toContain('40 euros');
    expect(answered?.detail.sources).toHaveLength(1);
    const url = 'https://www.example/prices';
    expect(selected).toEqual({
      type: 'site-search-select',
      detail: { query: QUESTION, url, title: 'Prices', position: 1 },
    });
    const sent = await eventually(async () => (await events()).length === 1 && events());
    expect(sent).toEqual([{ type: 'click', query: QUESTION, url, position: 1 }]);
  });

  it('announces the finished answer once, and no part of it before', async () => {
    provider.pauseMs = 20;
    await openChat();
    await page.evaluate(`
      window.heard = [];
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const region = target.parentElement?.closest('[role=status]') ?? target.closest?.('[role=status]');
          if (region && region.textContent && heard.at(-1) !== region.textContent) heard.push(region.textContent);
        }
      }).observe(${IN_SHADOW}, { subtree: true, childList: true, characterData: true });`);
    await ask('How much is the team plan in a month?');
    await has('.verdict');
    const heard = (await page.evaluate('heard')) as string[];
    expect(heard.map((text) => text.trim())).toEqual([
      'Looking in the pages …',
      'The team plan costs 40 euros a month for ten people. The basic plan costs 12 euros a month. ' +
        'Prices do not include taxes.',
    ]);
  });

  it('breaks a line with Shift and Enter, and grows with its lines', async () => {
    await openChat();
    const heightOf = () => inChat("querySelector('textarea').offsetHeight");
    const before = Number(await heightOf());
    await page.type(FIELD, 'One');
    await page.keyboard.down('Shift');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Shift');
    await page.type(FIELD, 'Two');
    expect(await inChat("querySelector('textarea').value")).toBe('One\nTwo');
    expect(Number(await heightOf())).toBeGreaterThan(before + 10);
    expect(chatRequests()).toHaveLength(0);
  });

  it('asks a first question of the attribute, and one by script', async () => {
    await openChat({ attributes: `greeting="Ask the office." questions='["${QUESTION}"]'` });
    expect(await textOf('.greeting p')).toBe('Ask the office.');
    await page.click('>>> .greeting button');
    await has('.verdict');
    await page.evaluate("document.querySelector('site-search-chat').open('What does the basic plan cost?')");
    await eventually(async () => chatRequests().length === 2);
    expect(bodyOf(chatRequests()[1]).message).toBe('What does the basic plan cost?');
  });
});

describe('an answer that a hostile model or page writes', () => {
  it('runs nothing, loads nothing and links nothing but its sources', async () => {
    await openChat();
    const text = [
      '<img src="https://evil.example/a.png" onerror="document.title=1">',
      '<script>document.title=1</script>',
      '![pixel](https://evil.example/b.png)',
      '[click](javascript:document.title=1) [click](https://evil.example/) [1] [2]',
    ].join('\n\n');
    const sources = [
      { url: 'https://www.example/prices', title: '<img src=x onerror=document.title=1>', relevance: 1, score: 1 },
      { url: 'javascript:document.title=1', title: 'Second', relevance: 1, score: 1 },
    ];
    const done = { answer: text, response: text, sources, tokensUsed: 0 };
    const parts = text.match(/.{1,7}/gs) ?? [];
    const frames = [['sources', { sources }], ...parts.map((part) => ['token', { text: part }]), ['done', done]].map(
      ([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    );
    replaced = answerWith(200, frames.join(''), 'text/event-stream');
    await ask();
    await has('.verdict');
    expect(await page.title()).toBe('A page');
    expect(page.requests.filter((request) => request.url().includes('evil'))).toEqual([]);
    expect(await inChat("querySelectorAll('img, script, iframe').length")).toBe(0);
    const links = await inChat("querySelectorAll('a').values().map(({ href }) => href).toArray()");
    expect(new Set(links as string[])).toEqual(new Set(['https://www.example/prices']));
  });
});

describe('the answer of a search', () => {
  it.each(['light', 'dark'] as const)('comes above its results, from the page that is read: %s', async (scheme) => {
    page = await site.open(
      `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1></main>
      <site-search-modal site="${site.siteId}" answers="auto" context-url filters='{"tags":"money"}'></site-search-modal>
      <script src="${site.root}v1/site-search.js"></script>`,
      { scheme },
    );
    await page.evaluate(`document.querySelector('site-search-modal').open(${JSON.stringify(QUESTION)})`);
    await has('.verdict');
    expect(bodyOf(chatRequests()[0])).toEqual({
      message: QUESTION,
      filters: { tags: 'money' },
      contextUrl: site.url,
    });
    const shadow = "document.querySelector('site-search-modal').shadowRoot";
    const text = `${shadow}.querySelector('.answer .text')`;
    expect(await page.evaluate(`${text}.textContent`)).toContain('40 euros');
    expect(await page.evaluate(`${text}.compareDocumentPosition(${shadow}.querySelector('[role=option]'))`)).toBe(4);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.screenshot({ path: process.env.SCREENSHOT ?? '/dev/null', type: 'png' });
  });
});

describe('the screen of a chat', () => {
  const SCREENS: readonly Screen[] = [
    { scheme: 'light' },
    { scheme: 'dark' },
    { scheme: 'light', width: 320, height: 600 },
    { scheme: 'dark', width: 390, height: 800 },
  ];

  it.each(SCREENS)('has no fault that axe finds, in any state: %j', async (screen) => {
    await openChat({ ...screen, attributes: `questions='["${QUESTION}"]'` });
    const faults = [await accessibilityFaults(page)];
    await ask();
    await has('.verdict');
    faults.push(await accessibilityFaults(page));
    await page.click('>>> .verdict button:nth-of-type(2)');
    const refusal = 'These pages do not answer this question.';
    replaced = answerWith(200, { answer: refusal, response: refusal, sources: [], tokensUsed: 0 });
    await ask('How do I install the client on Linux?');
    await has('.offer');
    await page.click('>>> .offer');
    await has('.found a');
    faults.push(await accessibilityFaults(page));
    const code = '| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nlet a;\n```\n\n> **So** [1]';
    const sources = [1, 2, 3, 4].map((n) => ({ url: `https://www.example/${n}`, title: 'T', relevance: 1, score: 1 }));
    replaced = answerWith(200, { answer: code, response: code, sources, tokensUsed: 0 });
    await ask('And now?');
    await has('.code');
    faults.push(await accessibilityFaults(page));
    replaced = answerWith(403, { error: 'Chat is off for this site.', code: 'feature_disabled' });
    await ask('And then?');
    await has('.fault');
    faults.push(await accessibilityFaults(page));
    await page.keyboard.press('Escape');
    faults.push(await accessibilityFaults(page));
    expect(faults.flat()).toEqual([]);
  });

  it('is full on a phone, modal, with a field that browsers do not zoom', async () => {
    await openChat({ width: 320, height: 600 });
    await ask();
    await has('.verdict');
    const box = "querySelector('dialog').getBoundingClientRect().toJSON()";
    expect(await inChat(box)).toMatchObject({ x: 0, y: 0, width: 320, height: 600 });
    expect(await inChat("querySelector('dialog').matches(':modal')")).toBe(true);
    expect(await inChat("querySelector('dialog').scrollWidth")).toBe(320);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await page.evaluate(`parseFloat(getComputedStyle(${IN_SHADOW}.querySelector('textarea')).fontSize)`)).toBe(
      16,
    );
    await page.keyboard.press('Escape');
    expect(await inChat("querySelector('dialog').matches(':modal')")).toBe(false);
  });

  it('works under a policy that allows only the script and the service', async () => {
    const host = site.root.slice(0, -1);
    await openChat({ csp: `default-src 'none'; script-src ${host}; connect-src ${host}` });
    await ask();
    await has('.verdict');
    expect(page.said).toEqual([]);
  });

  it('is not changed by the styles of the page', async () => {
    await openChat({
      head: `<style>* { all: revert; font: 9px serif !important; letter-spacing: 1em; display: block !important; }
        button, a, p { color: red !important; background: yellow !important; } :root { font-size: 8px }</style>`,
    });
    await ask();
    await has('.verdict');
    const style = (name: string) => page.evaluate(`getComputedStyle(${IN_SHADOW}.querySelector('.text p')).${name}`);
    expect(await style('fontSize')).toBe('16px');
    expect(await style('letterSpacing')).toBe('normal');
    expect(await style('color')).not.toBe('rgb(255, 0, 0)');
  });

  it('speaks the language of the page, from right to left where that is so', async () => {
    await openChat({ lang: 'de' });
    expect(await textOf('h2')).toBe('Frage stellen');
    expect(await textOf('.greeting p')).toMatch(/^Stellen Sie eine Frage/);
    await page.close();
    await openChat({ lang: 'ar" dir="rtl', attributes: 'position="bottom-left"' });
    const left = (selector: string) =>
      page.evaluate(`${IN_SHADOW}.querySelector('${selector}').getBoundingClientRect().x`);
    expect(Number(await left('button.close'))).toBeLessThan(Number(await left('h2')));
    expect(Number(await left('button[part=button]'))).toBe(20);
  });
});
