import { plainInline } from '../extraction/markdown-inline.ts';
import { collapsed } from './escape-markdown.ts';
import { linkTarget } from './link-target.ts';

export type MarkdownLink = { readonly text: string; readonly url: string };

const MAX_LINKS = 1_000;
const FENCE = /^[\s>]{0,60}(?:[-*+] |\d{1,9}[.)] )?\s{0,20}(`{3,}|~{3,})/;
/** A link, a piece of code or an escaped character, so that the latter two begin no link. */
const LINK_OR_CODE =
  /\[((?:\\.|`[^`]{1,300}`|[^[\]\\`]){1,500})\]\(\s{0,9}<?([^\s<>()]{1,2048})>?(?:\s{1,9}"[^"]{0,300}")?\s{0,9}\)|\\.|(`{1,9})[^`]{1,500}\3/g;

/** Returns the links of Markdown outside of code, with absolute http and https addresses, in order: at most 1,000. */
export function markdownLinks(markdown: string, base: string): readonly MarkdownLink[] {
  const links: MarkdownLink[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (line.includes('](')) addLinks(links, line, base);
    if (links.length >= MAX_LINKS) break;
  }
  return links.slice(0, MAX_LINKS);
}

function addLinks(links: MarkdownLink[], line: string, base: string): void {
  for (const [, label, href] of line.matchAll(LINK_OR_CODE)) {
    const url = href === undefined ? undefined : linkTarget(href, base);
    const text = url === undefined ? '' : collapsed(plainInline(label ?? '')).trim();
    if (url !== undefined && text !== '') links.push({ text, url });
  }
}
