import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { isSearch, type OpenedPage, openWidgets, respondJson, startSearchSite } from '../../support/search-widgets.ts';
import { accessibilityFaults, type WidgetPage, type WidgetSite } from '../../support/widget-page.ts';

const WIDGETS = {
  modal: '<site-search-button></site-search-button><site-search-modal site="SITE" answers="ask"></site-search-modal>',
  box: '<site-search-box site="SITE" answers="ask"></site-search-box>',
  page: '<site-search-page site="SITE" facets answers="ask"></site-search-page>',
};
type Widget = keyof typeof WIDGETS;

let site: WidgetSite;
let page: WidgetPage;

beforeAll(async () => {
  site = await startSearchSite();
});
afterAll(() => site.end());
afterEach(() => page.close());

const open = async (html: string, options: OpenedPage = {}) => {
  page = await openWidgets(site, html, options);
};

async function search(widget: Widget, query: string): Promise<void> {
  const element = `document.querySelector('site-search-${widget}')`;
  await page.evaluate(`${element}.open(${JSON.stringify(query)})`);
  await eventually(
    () =>
      page.evaluate(`${element}.shadowRoot.querySelector('[data-busy]') === null
    && ${element}.shadowRoot.querySelector('[part=body]').textContent.trim() !== ''`) as Promise<boolean>,
  );
}

/** The page is as the widget needs it, and no wider than the screen. */
async function expectNoFaults(): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')).toBe(0);
  expect(page.said.filter((text) => !text.startsWith('Failed to load'))).toEqual([]);
}

const failing: OpenedPage['answer'] = (request) =>
  isSearch(request) ? respondJson(request, 500, { error: 'The service failed.', code: 'internal_error' }) : undefined;

describe.each(['modal', 'box', 'page'] as const)('the widget %s', (widget) => {
  it.each([
    ['light', 1000],
    ['dark', 1000],
    ['light', 320],
  ] as const)(`has no fault of accessibility in any state, ${widget}, %s, %d pixels wide`, async (scheme, width) => {
    const screen = { scheme, width };
    await open(WIDGETS[widget], screen);
    await expectNoFaults();
    for (const query of ['lamp', 'stool', 'linx install', 'price of a boat', 'zzxqy']) {
      await search(widget, query);
      if (query === 'stool') await page.keyboard.press('ArrowDown');
      await expectNoFaults();
    }
    await page.close();
    await open(WIDGETS[widget], { ...screen, answer: failing });
    await search(widget, 'lamp');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it(`works under a strict Content-Security-Policy, ${widget}`, async () => {
    const { origin } = new URL(site.root);
    await open(WIDGETS[widget], { csp: `default-src 'none'; script-src ${origin}; connect-src ${origin}` });
    await search(widget, 'lamp');
    const shadow = `document.querySelector('site-search-${widget}').shadowRoot`;
    expect(await page.evaluate(`${shadow}.querySelector('.title').textContent`)).toBe('Lamps');
    expect(await page.evaluate(`getComputedStyle(${shadow}.querySelector('.field')).display`)).toBe('flex');
    expect(page.said).toEqual([]);
    expect(await page.cookies()).toEqual([]);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
  });

  it(`looks the same on a page with hostile styles, ${widget}`, async () => {
    const styles = `* { all: unset !important; font-size: 40px !important; color: red !important }
      html { font-size: 30px } body { letter-spacing: 1em; text-transform: uppercase; line-height: 4; direction: ltr }
      a, button, input, ol, li, p, h2, dialog, mark { border: 9px solid lime !important; float: right !important }`;
    const looks = async (head: string) => {
      await open(WIDGETS[widget], { head });
      await search(widget, 'oil lamp nine hours');
      return page.evaluate(`['.field', '.title', '.crumbs', '.snippet', 'mark', 'input'].map((name) => {
        const style = getComputedStyle(document.querySelector('site-search-${widget}').shadowRoot.querySelector(name));
        return ['fontSize', 'color', 'display', 'borderTopWidth', 'letterSpacing', 'textTransform', 'lineHeight', 'float']
          .map((property) => style[property]).join();
      })`);
    };
    const usual = await looks('');
    await page.close();
    expect(await looks(`<style>${styles}</style>`)).toEqual(usual);
  });
});

type Node = {
  readonly role: string;
  readonly name?: string;
  readonly children?: readonly Node[];
  readonly value?: string;
};

const WITHOUT_NAME =
  /^(?:generic|none|StaticText|InlineTextBox|RootWebArea|paragraph|mark|Legend|LabelText|ListMarker|status)$/;

/** What a screen reader comes across, in its order. */
const heard = ({ role, name = '', children = [] }: Node): readonly string[] => [
  ...(WITHOUT_NAME.test(role) ? [] : [`${role}: ${name}`.replaceAll(/\s+/g, ' ').trim()]),
  ...children.flatMap(heard),
];
const tree = async () => heard((await page.accessibility.snapshot({ interestingOnly: false })) as unknown as Node);

it('a screen reader hears the field of the modal, its button, what was corrected, and the options', async () => {
  await open('<site-search-modal site="SITE" answers="ask"></site-search-modal>');
  await search('modal', 'linx install');
  await page.keyboard.press('ArrowDown');
  expect(await tree()).toEqual([
    'dialog: Search',
    'search:',
    'combobox: Search',
    'button: Close',
    expect.stringMatching(/^button: Search for .linx install. instead$/),
    'listbox: Results',
    'option: Ask: linx install',
    expect.stringMatching(/^option: Install on Linux example linux Install the client/),
    expect.stringMatching(/^option: Install on Windows example windows/),
  ]);
});

it('a screen reader hears of the page of results the field, the facets, and headings with links', async () => {
  await open('<site-search-page site="SITE" facets="tags" answers="off"></site-search-page>');
  await search('page', 'lamp');
  const lines = await tree();
  expect(lines.slice(lines.indexOf('search:'))).toEqual([
    ...['search:', 'textbox: Search', 'button: Clear'],
    ...['group: Tags', 'checkbox: house 1', 'checkbox: light 1'],
    ...['list: Results', 'listitem:', 'heading: Lamps', 'link: Lamps', 'time:'],
    ...['list:', 'listitem:', 'link: Electric lamps', 'listitem:', 'link: Oil lamps'],
  ]);
});

it('the widgets follow the direction of the page', async () => {
  await open(`<div dir="rtl">${WIDGETS.box}</div>`, { lang: 'ar' });
  await search('box', 'lamp');
  const [icon, input] = (await page.evaluate(`['.icon', 'input'].map((name) =>
    document.querySelector('site-search-box').shadowRoot.querySelector(name).getBoundingClientRect().left)`)) as readonly number[];
  expect(icon).toBeGreaterThan(input ?? 0);
  await expectNoFaults();
});

it('the theme of an element comes before that of the system', async () => {
  await open('<site-search-box site="SITE" theme="dark"></site-search-box>');
  const ground = () =>
    page.evaluate(
      "getComputedStyle(document.querySelector('site-search-box').shadowRoot.querySelector('.field')).backgroundColor",
    );
  expect(await ground()).toBe('rgb(27, 29, 33)');
  await page.evaluate("document.querySelector('site-search-box').setAttribute('theme', 'light')");
  expect(await ground()).toBe('rgb(255, 255, 255)');
  await page.evaluate("document.body.style.setProperty('--site-search-background', 'rgb(1, 2, 3)')");
  expect(await ground()).toBe('rgb(1, 2, 3)');
});

it('a modal fills the screen of a phone, and its field is not zoomed', async () => {
  await open(WIDGETS.modal, { width: 390, height: 700 });
  await page.tap('>>> button');
  const dialog = "document.querySelector('site-search-modal').shadowRoot.querySelector('dialog')";
  expect(
    await page.evaluate(`(({ x, y, width, height }) => [x, y, width, height])(${dialog}.getBoundingClientRect())`),
  ).toEqual([0, 0, 390, 700]);
  expect(await page.evaluate(`getComputedStyle(${dialog}.querySelector('input')).fontSize`)).toBe('16px');
});
