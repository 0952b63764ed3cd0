const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VOID = words(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
);
const FORMATTING = words(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var',
);
const CLOSES_P = words(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section table ul',
);

const HEAD_CONTENT = words('base basefont bgsound link meta title noscript noframes style script template');
const TABLE_PARTS = words('table thead tbody tfoot tr td th body html');

/** Which open element a start tag ends, and which elements may stand between the two. */
export type ImpliedClose = { readonly closes: ReadonlySet<string>; readonly passes: (open: string) => boolean };

const notOneOf = (list: string): ((open: string) => boolean) => {
  const barriers = words(list);
  return (open) => !barriers.has(open);
};
const formattingOnly = (open: string): boolean => FORMATTING.has(open);

const CLOSE_P: ImpliedClose = { closes: words('p'), passes: formattingOnly };
const CLOSE_ITEM: ImpliedClose = {
  closes: words('li'),
  passes: notOneOf('ul ol menu table td th section article main'),
};
const CLOSE_TERM: ImpliedClose = {
  closes: words('dt dd'),
  passes: notOneOf('dl ul ol table td th section article main'),
};
const CLOSE_CELL: ImpliedClose = { closes: words('td th'), passes: notOneOf('table tr') };
const CLOSE_ROW: ImpliedClose = { closes: words('tr'), passes: notOneOf('table') };
const CLOSE_ROWS: ImpliedClose = { closes: words('thead tbody tfoot'), passes: notOneOf('table') };
const CLOSE_OPTION: ImpliedClose = { closes: words('option'), passes: notOneOf('select datalist') };
const CLOSE_LINK: ImpliedClose = { closes: words('a'), passes: formattingOnly };
const CLOSE_HEAD: ImpliedClose = { closes: words('head'), passes: () => true };

const RULES = new Map<string, ImpliedClose>([
  ...[...CLOSES_P].map((name) => [name, CLOSE_P] as const),
  ['li', CLOSE_ITEM],
  ['dt', CLOSE_TERM],
  ['dd', CLOSE_TERM],
  ['td', CLOSE_CELL],
  ['th', CLOSE_CELL],
  ['tr', CLOSE_ROW],
  ['thead', CLOSE_ROWS],
  ['tbody', CLOSE_ROWS],
  ['tfoot', CLOSE_ROWS],
  ['option', CLOSE_OPTION],
  ['a', CLOSE_LINK],
  ['body', CLOSE_HEAD],
]);

/** What a start tag of this name ends, as in HTML 13.1.2.4 (optional tags). */
export function closesBefore(name: string): ImpliedClose | undefined {
  return RULES.get(name);
}

/** True for what may stand in a head; anything else ends one that is open (HTML 13.2.6.4.4). */
export function isHeadContent(name: string): boolean {
  return HEAD_CONTENT.has(name);
}

/** True for elements that never have content. */
export function isVoidElement(name: string): boolean {
  return VOID.has(name);
}

/** True for the end tags that also end an open table cell; others do not reach out of it. */
export function endsCells(name: string): boolean {
  return TABLE_PARTS.has(name);
}
