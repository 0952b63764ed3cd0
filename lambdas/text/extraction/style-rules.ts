import { type HtmlTree, textOf } from '../html/tree.ts';
import { type Hiding, hidingOf, isTiny, readStyle } from './hiding-style.ts';

/** Effects of the page's style rules on classes and ids, by a simple selector such as `.note`. */
export type StyleRules = {
  readonly hides: Map<string, Exclude<Hiding, undefined>>;
  /** Whether the text of the selected elements is too small to read. */
  readonly tiny: Map<string, boolean>;
};

const SHOWS = /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}(?!none)|opacity\s{0,9}:\s{0,9}(?:1|0?\.[1-9]))[a-z\d.]/i;
const SIMPLE_SELECTOR = /^[.#][\w-]{1,100}$/;
const MAX_STYLE = 500_000;
const PRINT_RULE = /^@media\s{1,9}print$/i;

/**
 * Reads the style rules of a page. The last rule for a selector counts. Rules inside at-rules never hide, but a rule
 * for print can show.
 */
export function styleRules(tree: HtmlTree): StyleRules {
  const rules: StyleRules = { hides: new Map(), tiny: new Map() };
  for (let i = 0; i < tree.length; i++) if (tree[i]?.name === 'style') readRules(textOf(tree, i, MAX_STYLE), rules);
  return rules;
}

function readRules(css: string, rules: StyleRules): void {
  const brace = /[{}]/g;
  let depth = 0;
  let atRule: { readonly depth: number; readonly isPrint: boolean } | undefined;
  let from = 0;
  let prelude = '';
  for (let match = brace.exec(css); match !== null; match = brace.exec(css)) {
    const before = css.slice(from, match.index);
    from = match.index + 1;
    if (match[0] === '{') {
      depth++;
      prelude = before.slice(before.lastIndexOf(';') + 1).trim();
      if (atRule === undefined && prelude.startsWith('@')) atRule = { depth, isPrint: PRINT_RULE.test(prelude) };
      continue;
    }
    if (atRule === undefined || atRule.isPrint) applyRule(prelude, before, atRule === undefined, rules);
    if (depth === atRule?.depth) atRule = undefined;
    depth = Math.max(0, depth - 1);
    prelude = '';
  }
}

function applyRule(prelude: string, declarations: string, mayHide: boolean, { hides, tiny }: StyleRules): void {
  const style = readStyle(declarations);
  if (style === undefined) return;
  const hiding = mayHide ? hidingOf(style) : undefined;
  const isSmall = mayHide ? isTiny(style) : undefined;
  const shows = hiding === undefined && SHOWS.test(declarations);
  if (hiding === undefined && isSmall === undefined && !shows) return;
  for (const selector of simpleSelectors(prelude)) {
    if (hiding !== undefined) hides.set(selector, hiding);
    else if (shows) hides.delete(selector);
    if (isSmall !== undefined) tiny.set(selector, isSmall);
  }
}

const simpleSelectors = (prelude: string): readonly string[] =>
  prelude
    .slice(prelude.lastIndexOf('*/') + 1)
    .replace(/^\//, '')
    .split(',')
    .map((part) => part.trim())
    .filter((selector) => SIMPLE_SELECTOR.test(selector));
