import { type HtmlTree, textOf } from './html-tree.ts';
import { oneLine, type PageHead } from './page-head.ts';

const MAX_TITLE = 300;
const MAX_HEADINGS = 10;
/** What stands between the parts of a title, such as the page's name and the site's. */
const SEPARATOR = / ?(?:\||::|»|›) ?| [·•~—–/-] |: /g;
/** The number of a section in front of its heading, as in "2. ", "26.1. ", "3.1 " and "A.2. ". */
const SECTION_NUMBER = /^(?:\d{1,3}|[A-Z])\.(?:\d{1,3}\.)*(?:\d{1,3})?(?=\s)/;
const SAYS_NOTHING = /^(?:home|home ?page|index|welcome)$/i;

/** A title cut at its separators: `parts[i]` is followed by `marks[i]`. */
type TitleParts = { readonly parts: readonly string[]; readonly marks: readonly string[] };

/** The page's name, without the site's: a top heading that is part of the title, or the only one if it says much the same, else the title. */
export function pageTitle(tree: HtmlTree, dropped: Uint8Array, head: PageHead, pageUrl: string): string {
  const headings = topHeadings(tree, dropped);
  const isSite = siteTest(head, pageUrl);
  const social = head.meta.get('og:title')?.[0] ?? head.meta.get('twitter:title')?.[0] ?? '';
  const title = (head.title || social).slice(0, MAX_TITLE);
  if (title === '') return headings[0] ?? '';
  const cut = cutTitle(title);
  const lastParts = new Set(cut.parts.slice(1).map(folded));
  const isSiteHere = (part: string): boolean =>
    isSite(part) || (lastParts.has(folded(part)) && headings.some((heading) => folded(heading) === folded(part)));
  const isOnlyOne = new Set(headings.map(folded)).size === 1;
  const shown =
    headings.find((heading) => isNameIn(cut, heading)) ??
    headings.find((heading) => isNameIn(cutTitle(social), heading)) ??
    headings.find((heading) => isOnlyOne && !isSiteHere(heading) && isLike(title, heading));
  if (shown !== undefined) return withoutSite(cutTitle(shown), isSite);
  if (social !== '' && (title.startsWith(`${social} `) || title.endsWith(`: ${social}`))) return social;
  const name = withoutSite(cut, isSiteHere);
  return isSite(name) ? (headings.find((heading) => !isSite(heading)) ?? name) : name;
}

function topHeadings(tree: HtmlTree, dropped: Uint8Array): readonly string[] {
  const headings: string[] = [];
  for (let i = 0; i < tree.length && headings.length < MAX_HEADINGS; i++) {
    if (tree[i]?.name !== 'h1') continue;
    const text = oneLine(textOf(tree, i, 2 * MAX_TITLE, dropped) || textOf(tree, i, 2 * MAX_TITLE)).replace(
      / ?[¶#§]$/,
      '',
    );
    if (text !== '' && text.length <= MAX_TITLE) headings.push(text);
  }
  return headings;
}

function cutTitle(title: string): TitleParts {
  return { parts: title.split(SEPARATOR), marks: title.match(SEPARATOR) ?? [] };
}

function join({ parts, marks }: TitleParts, from: number, to: number): string {
  let joined = parts[from] ?? '';
  for (let i = from + 1; i < to; i++) joined += (marks[i - 1] ?? '') + (parts[i] ?? '');
  return joined;
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** True if a heading is the whole title, its first parts, or its last ones behind a colon. */
function isNameIn(title: TitleParts, heading: string): boolean {
  const name = folded(heading);
  const count = title.parts.length;
  for (let i = 1; i <= count; i++) {
    if (folded(join(title, 0, i)) === name) return name !== '';
    if (title.marks[i - 1] === ': ' && folded(join(title, i, count)) === name) return name !== '';
  }
  return false;
}

/** True if at least half of a heading's words are in the title, and the section number that it may have. */
function isLike(title: string, heading: string): boolean {
  const number = SECTION_NUMBER.exec(heading)?.[0];
  if (number !== undefined && !title.includes(number)) return false;
  const known = new Set(folded(title).split(' '));
  const words = folded(heading).split(' ');
  return words.filter((word) => known.has(word)).length >= words.length / 2;
}

/** Tells the site's name by what the page calls it and by its host. */
function siteTest(head: PageHead, pageUrl: string): (part: string) => boolean {
  const names = [...(head.meta.get('og:site_name') ?? []), ...(head.meta.get('application-name') ?? [])].map(folded);
  const labels = URL.canParse(pageUrl) ? new URL(pageUrl).hostname.split('.').filter((label) => label.length > 3) : [];
  return (part) => {
    const name = folded(part);
    const word = name.replaceAll(' ', '');
    const initials = name.replace(/(\p{L})\p{L}* ?/gu, '$1');
    return (
      names.includes(name) ||
      labels.some(
        (label) =>
          label === initials ||
          (word.length > 3 && (label.includes(word) || (word.startsWith(label) && word.length < 2 * label.length))),
      )
    );
  };
}

/** Cuts the site's name off the end, and whatever stands last behind a bar, unless nothing else but the site's name is left. */
function withoutSite(title: TitleParts, isSite: (part: string) => boolean): string {
  const { parts, marks } = title;
  let count = parts.length;
  while (count > 1 && isSite(parts[count - 1] ?? '')) count--;
  if (count === parts.length && count > 1 && marks[count - 2]?.trim() === '|') count--;
  const name = join(title, 0, count);
  return isSite(name) || SAYS_NOTHING.test(name) ? join(title, 0, parts.length) : name;
}
