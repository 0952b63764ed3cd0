import { cut } from '../../language/folding.ts';
import { contentBlocks } from '../extraction/content-blocks.ts';
import { withoutText } from '../extraction/node-mask.ts';
import type { HtmlTree } from '../html/tree.ts';
import { oneLine, type PageHead } from './page-head.ts';
import { siteTest, withoutSite } from './site-name.ts';
import { cutTitle, findRun, folded, isNameIn, spelled, type TitleParts } from './title-parts.ts';

const MAX_TITLE = 300;
const MAX_HEADINGS = 10;
/** What holds more is no heading, and may hold many of its name that would each be read. */
const MAX_HEADING_NODES = 2_000;
/** The number of a section in front of its heading, as in "2. ", "26.1. ", "3.1 " and "A.2. ". */
const SECTION_NUMBER = /^(?:\d{1,3}|[A-Z])\.(?:\d{1,3}\.)*(?:\d{1,3})?(?=\s)/;
/** A date, a count or something in brackets, as it may stand beside a name in a heading. */
const ONLY_FIGURES =
  /^(?:[\s\p{N}.,:;#/|-]|\([^()]{0,200}\)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b)*$/iu;

/** The file that a page was made from, in front of what it is about. */
const READ_ME = /^read ?me(?:\.md)? [|:·•~—–-] /i;
/** What a programming language calls something, from the outermost name on, as in `std::vector`. */
const QUALIFIED_NAME = /^\w+(?:::\w+)+$/;

/** What a page's name is chosen from. */
type Evidence = {
  readonly title: TitleParts;
  readonly social: TitleParts;
  /** The title without the site's name. */
  readonly name: string;
  readonly headings: readonly string[];
  readonly headline: string | undefined;
  /** The last part of the address, folded. */
  readonly slug: string;
  readonly isHome: boolean;
  readonly isSite: (part: string) => boolean;
  /** Also true for a heading that the title only ends with. */
  readonly isSiteHere: (part: string) => boolean;
};

/**
 * The page's name, without the site's: where the title, a top heading, the embedded headline and the address agree,
 * else the title.
 */
export function pageTitle(tree: HtmlTree, dropped: Uint8Array, head: PageHead, address: string): string {
  const headings = topHeadings(tree, dropped);
  const social = nameOf(head.meta.get('og:title')?.[0] ?? head.meta.get('twitter:title')?.[0] ?? '');
  const title = nameOf(head.title) || social;
  if (title === '') return headings[0] ?? '';
  const evidence = gather(title, social, headings, head, address);
  return (
    sharedName(evidence) ??
    qualifiedName(evidence) ??
    instead(evidence) ??
    headlineName(evidence) ??
    fullerHeading(evidence) ??
    slugName(evidence) ??
    similarHeading(evidence) ??
    socialName(title, social, evidence) ??
    evidence.name
  );
}

const nameOf = (title: string): string => cut(title, MAX_TITLE).replace(READ_ME, '');

function gather(title: string, social: string, headings: readonly string[], head: PageHead, address: string): Evidence {
  const parts = cutTitle(title);
  const url = URL.parse(address);
  const isSite = siteTest(head, url?.hostname ?? '');
  const lastParts = new Set(parts.parts.slice(1).map(folded));
  const foldedHeadings = new Set(headings.map(folded));
  const isSiteHere = (part: string): boolean =>
    isSite(part) || (lastParts.has(folded(part)) && foldedHeadings.has(folded(part)));
  const path = url?.pathname ?? '';
  return {
    title: parts,
    social: cutTitle(social),
    name: withoutSite(parts, isSiteHere),
    headings,
    headline: head.jsonLd.find((item) => item.has('headline'))?.get('headline')?.[0],
    slug: slugOf(path),
    isHome: path === '/',
    isSite,
    isSiteHere,
  };
}

function topHeadings(tree: HtmlTree, dropped: Uint8Array): readonly string[] {
  const headings: string[] = [];
  let unseen: Uint8Array | undefined;
  for (let i = 0; i < tree.length && headings.length < MAX_HEADINGS; i++) {
    const node = tree[i];
    if (node?.name !== 'h1' || node.end - i > MAX_HEADING_NODES) continue;
    let text = headingText(tree, i, dropped);
    if (text === '') {
      unseen ??= withoutText(tree);
      text = headingText(tree, i, unseen);
    }
    if (text !== '' && text.length <= MAX_TITLE) headings.push(text);
  }
  return headings;
}

const headingText = (tree: HtmlTree, index: number, dropped: Uint8Array): string =>
  oneLine(
    contentBlocks(tree, index, dropped)
      .map(({ text }) => text)
      .join(' '),
  );

function slugOf(path: string): string {
  const names = path.split('/').map((segment) => folded(segment.replace(/\.\w{2,5}$/, '')));
  return names.findLast((name) => /\p{L}/u.test(name)) ?? '';
}

/** A heading that is the title or a part of it which can be the page's name. */
function sharedName({ title, social, headings, isSite }: Evidence): string | undefined {
  const heading =
    headings.find((text) => isNameIn(title, text, isSite)) ?? headings.find((text) => isNameIn(social, text, isSite));
  if (heading === undefined) return undefined;
  const name = withoutSite(cutTitle(heading), isSite);
  const isIt = (run: string): boolean => folded(run) === folded(name);
  return spelled(name, findRun(title, isIt) ?? findRun(social, isIt) ?? name);
}

/** The first part of the title, if it is a name that says more than any heading would. */
function qualifiedName({ title }: Evidence): string | undefined {
  const [first = ''] = title.parts;
  return QUALIFIED_NAME.test(first) ? first : undefined;
}

/** Where the title only names the site: a heading, but on the site's first page. */
function instead({ name, headings, isSite, isHome }: Evidence): string | undefined {
  if (!isSite(name)) return undefined;
  return (isHome ? undefined : headings.find((heading) => !isSite(heading))) ?? name;
}

/** The first parts of a title that are the embedded headline. */
function headlineName({ name, headline }: Evidence): string | undefined {
  if (headline === undefined) return undefined;
  return findRun(cutTitle(name), (run) => run !== name && name.startsWith(run) && folded(run) === folded(headline));
}

/** The only top heading there is, unless it is the site's name. */
function onlyHeading({ headings, isSiteHere }: Evidence): string | undefined {
  const [first] = headings;
  if (first === undefined || isSiteHere(first)) return undefined;
  return headings.every((heading) => folded(heading) === folded(first)) ? first : undefined;
}

/** The only heading if it says all that the title's name says; without a date or a count that only the heading has. */
function fullerHeading(evidence: Evidence): string | undefined {
  const { name, isSite } = evidence;
  const heading = onlyHeading(evidence);
  if (heading === undefined) return undefined;
  const at = heading.toLowerCase().indexOf(name.toLowerCase());
  if (at >= 0 && ONLY_FIGURES.test(`${heading.slice(0, at)} ${heading.slice(at + name.length)}`)) return name;
  const number = numberLackingIn(evidence, heading);
  const text = heading.slice(number.length).trim();
  const said = new Set(folded(text).split(' '));
  const saysAll = folded(name)
    .split(' ')
    .every((word) => said.has(word));
  return saysAll ? withoutSite(cutTitle(text), isSite) : undefined;
}

/**
 * What the address names: parts of the title, or of the name that the page is shared by; else the only heading, if it
 * says no less.
 */
function slugName(evidence: Evidence): string | undefined {
  const { title, social, name, slug, isSite } = evidence;
  if (!slug.includes(' ')) return undefined;
  const letters = slug.replaceAll(' ', '');
  const isNamed = (run: string): boolean => folded(run).replaceAll(' ', '') === letters && !isSite(run);
  const heading = onlyHeading(evidence);
  const saysNoLess = heading !== undefined && isNamed(heading) && weighty(heading) >= weighty(name);
  return findRun(title, isNamed) ?? findRun(social, isNamed) ?? (saysNoLess ? heading : undefined);
}

const weighty = (text: string): number =>
  folded(text)
    .split(' ')
    .filter((word) => word.length > 3).length;

/**
 * The only heading if half of its words are in the title, and it is no shorter than the title's name or that is a row
 * of phrases, unless it asks what the title tells; or if it shares nothing with a title that begins with the site's
 * name.
 */
function similarHeading(evidence: Evidence): string | undefined {
  const { title, name, isSite, isHome } = evidence;
  const heading = onlyHeading(evidence);
  if (heading === undefined) return undefined;
  const known = new Set(title.parts.flatMap((part) => folded(part).split(' ')));
  const words = folded(heading).split(' ');
  const shared = words.filter((word) => known.has(word)).length;
  const isRow = cutTitle(name).parts.length > 1 || /[[(]/.test(name) || !endsWithSite(title, isSite);
  const isLong = words.length >= folded(name).split(' ').length;
  const asks = heading.endsWith('?') && !name.includes('?');
  const isLike = shared >= words.length / 2 && (isLong || isRow) && !asks;
  if (isLike && numberLackingIn(evidence, heading) === '') return withoutSite(cutTitle(heading), isSite);
  const isSlogan = title.parts.length > 1 && isSite(title.parts[0] ?? '') && !isHome && shared < 2;
  return isSlogan ? heading : undefined;
}

function endsWithSite({ parts }: TitleParts, isSite: (part: string) => boolean): boolean {
  return parts.length === 1 || isSite(parts.at(-1) ?? '');
}

/** The section number of a heading that the title does not have; empty if there is none. */
function numberLackingIn({ title }: Evidence, heading: string): string {
  const number = SECTION_NUMBER.exec(heading)?.[0];
  return number === undefined || title.parts.some((part) => part.includes(number)) ? '' : number;
}

/** What a page is called when it is shared, if the title is that with something in front or behind. */
function socialName(title: string, social: string, { isSiteHere }: Evidence): string | undefined {
  if (social === '' || !(title.startsWith(`${social} `) || title.endsWith(`: ${social}`))) return undefined;
  return withoutSite(cutTitle(social), isSiteHere);
}
