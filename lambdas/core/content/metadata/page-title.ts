import { cut } from '../../language/folding.ts';
import { contentBlocks } from '../extraction/content-blocks.ts';
import { withoutText } from '../extraction/node-mask.ts';
import type { HtmlTree } from '../html/tree.ts';
import { oneLine, type PageHead } from './page-head.ts';
import { siteTest, withoutSite } from './site-name.ts';
import { bestSpelling, cutTitle, findRun, folded, isNameIn, type TitleParts } from './title-parts.ts';

const MAX_TITLE = 300;
const MAX_HEADINGS = 10;
/** A larger element is not a heading; the limit bounds the work for headings inside headings. */
const MAX_HEADING_NODES = 2_000;
/** A section number before a heading, as in "2. ", "26.1. ", "3.1 " and "A.2. ". */
const SECTION_NUMBER = /^(?:\d{1,3}|[A-Z])\.(?:\d{1,3}\.)*(?:\d{1,3})?(?=\s)/;
/** A date, a count or a text in brackets, beside the name in a heading. */
const DATE_OR_COUNT =
  /^(?:[\s\p{N}.,:;#/|-]|\([^()]{0,200}\)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b)*$/iu;

/** A file name before the real title. */
const READ_ME = /^read ?me(?:\.md)? [|:·•~—–-] /i;
/** A name in a programming language, as in `std::vector`. */
const QUALIFIED_NAME = /^\w+(?:::\w+)+$/;

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
  /** Also true for a heading that is only the end of the title. */
  readonly isSiteHere: (part: string) => boolean;
};

/** The page's name without the site's, by the title, the top headings, the embedded headline and the address. */
export function pageTitle(tree: HtmlTree, dropped: Uint8Array, head: PageHead, address: string): string {
  const headings = topHeadings(tree, dropped);
  const social = nameOf(head.meta.get('og:title')?.[0] ?? head.meta.get('twitter:title')?.[0] ?? '');
  const title = nameOf(head.title) || social;
  if (title === '') return headings[0] ?? '';
  const evidence = gather(title, social, headings, head, address);
  return (
    sharedName(evidence) ??
    qualifiedName(evidence) ??
    headingForSiteTitle(evidence) ??
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

/** A heading that is the title or a part of it. */
function sharedName({ title, social, headings, isSite }: Evidence): string | undefined {
  const heading =
    headings.find((text) => isNameIn(title, text, isSite)) ?? headings.find((text) => isNameIn(social, text, isSite));
  if (heading === undefined) return undefined;
  const name = withoutSite(cutTitle(heading), isSite);
  const isIt = (run: string): boolean => folded(run) === folded(name);
  return bestSpelling(name, findRun(title, isIt) ?? findRun(social, isIt) ?? name);
}

function qualifiedName({ title }: Evidence): string | undefined {
  const [first = ''] = title.parts;
  return QUALIFIED_NAME.test(first) ? first : undefined;
}

/** For a title that only names the site: a heading, except on the home page. */
function headingForSiteTitle({ name, headings, isSite, isHome }: Evidence): string | undefined {
  if (!isSite(name)) return undefined;
  return (isHome ? undefined : headings.find((heading) => !isSite(heading))) ?? name;
}

/** The first parts of a title that equal the embedded headline. */
function headlineName({ name, headline }: Evidence): string | undefined {
  if (headline === undefined) return undefined;
  return findRun(cutTitle(name), (run) => run !== name && name.startsWith(run) && folded(run) === folded(headline));
}

/** The only top heading, unless it is the site's name. */
function onlyHeading({ headings, isSiteHere }: Evidence): string | undefined {
  const [first] = headings;
  if (first === undefined || isSiteHere(first)) return undefined;
  return headings.every((heading) => folded(heading) === folded(first)) ? first : undefined;
}

/** The only heading if it has all words of the name; without a date or a count that only the heading has. */
function fullerHeading(evidence: Evidence): string | undefined {
  const { name, isSite } = evidence;
  const heading = onlyHeading(evidence);
  if (heading === undefined) return undefined;
  const start = heading.toLowerCase().indexOf(name.toLowerCase());
  if (start >= 0 && DATE_OR_COUNT.test(`${heading.slice(0, start)} ${heading.slice(start + name.length)}`)) return name;
  const number = missingNumber(evidence, heading);
  const text = heading.slice(number.length).trim();
  const words = new Set(folded(text).split(' '));
  const hasAllWords = folded(name)
    .split(' ')
    .every((word) => words.has(word));
  return hasAllWords ? withoutSite(cutTitle(text), isSite) : undefined;
}

/** The parts of the title that the address names; or the only heading, if it has as many long words. */
function slugName(evidence: Evidence): string | undefined {
  const { title, social, name, slug, isSite } = evidence;
  if (!slug.includes(' ')) return undefined;
  const letters = slug.replaceAll(' ', '');
  const isNamed = (run: string): boolean => folded(run).replaceAll(' ', '') === letters && !isSite(run);
  const heading = onlyHeading(evidence);
  const hasLongWords = heading !== undefined && isNamed(heading) && longWordCount(heading) >= longWordCount(name);
  return findRun(title, isNamed) ?? findRun(social, isNamed) ?? (hasLongWords ? heading : undefined);
}

const longWordCount = (text: string): number =>
  folded(text)
    .split(' ')
    .filter((word) => word.length > 3).length;

/**
 * The only heading if half of its words are in the title and it is long enough, or if the title is the site's name and
 * a slogan.
 */
function similarHeading(evidence: Evidence): string | undefined {
  const { title, name, isSite, isHome } = evidence;
  const heading = onlyHeading(evidence);
  if (heading === undefined) return undefined;
  const known = new Set(title.parts.flatMap((part) => folded(part).split(' ')));
  const words = folded(heading).split(' ');
  const shared = words.filter((word) => known.has(word)).length;
  const isLoose = cutTitle(name).parts.length > 1 || /[[(]/.test(name) || !endsWithSite(title, isSite);
  const isLong = words.length >= folded(name).split(' ').length;
  const isQuestion = heading.endsWith('?') && !name.includes('?');
  const isSimilar = shared >= words.length / 2 && (isLong || isLoose) && !isQuestion;
  if (isSimilar && missingNumber(evidence, heading) === '') return withoutSite(cutTitle(heading), isSite);
  const isSlogan = title.parts.length > 1 && isSite(title.parts[0] ?? '') && !isHome && shared < 2;
  return isSlogan ? heading : undefined;
}

function endsWithSite({ parts }: TitleParts, isSite: (part: string) => boolean): boolean {
  return parts.length === 1 || isSite(parts.at(-1) ?? '');
}

/** The section number of a heading, if the title lacks it; else empty. */
function missingNumber({ title }: Evidence, heading: string): string {
  const number = SECTION_NUMBER.exec(heading)?.[0];
  return number === undefined || title.parts.some((part) => part.includes(number)) ? '' : number;
}

/** The title for social media, if the title is that with a prefix or a suffix. */
function socialName(title: string, social: string, { isSiteHere }: Evidence): string | undefined {
  if (social === '' || !(title.startsWith(`${social} `) || title.endsWith(`: ${social}`))) return undefined;
  return withoutSite(cutTitle(social), isSiteHere);
}
