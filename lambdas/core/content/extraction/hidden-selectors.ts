import { type HtmlTree, textOf } from '../html/tree.ts';

const HIDES = /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)/i;
const SHOWS = /(?:^|[;\s])display\s{0,9}:\s{0,9}(?!none)[a-z]/i;
const SIMPLE_SELECTOR = /^[.#][\w-]{1,100}$/;
const MAX_STYLE = 500_000;
const PRINT_RULE = /^@media\s{1,9}print$/i;

/** Class and id selectors that the last rule for them hides. At-rules hide nothing, but a rule for print can show. */
export function hiddenSelectors(tree: HtmlTree): Set<string> {
  const hidden = new Set<string>();
  for (let i = 0; i < tree.length; i++) {
    if (tree[i]?.name !== 'style') continue;
    const css = textOf(tree, i, MAX_STYLE);
    if (HIDES.test(css)) readRules(css, hidden);
  }
  return hidden;
}

function readRules(css: string, hidden: Set<string>): void {
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
    if (atRule === undefined || atRule.isPrint) applyRule(prelude, before, atRule === undefined, hidden);
    if (depth === atRule?.depth) atRule = undefined;
    depth = Math.max(0, depth - 1);
    prelude = '';
  }
}

function applyRule(prelude: string, declarations: string, mayHide: boolean, hidden: Set<string>): void {
  const hides = mayHide && HIDES.test(declarations);
  if (!hides && !SHOWS.test(declarations)) return;
  for (const part of prelude
    .slice(prelude.lastIndexOf('*/') + 1)
    .replace(/^\//, '')
    .split(',')) {
    const selector = part.trim();
    if (!SIMPLE_SELECTOR.test(selector)) continue;
    if (hides) hidden.add(selector);
    else hidden.delete(selector);
  }
}
