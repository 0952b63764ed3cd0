import type { PageHead } from './page-head.ts';
import { withoutSite } from './site-name.ts';
import { type TitleEvidence, titleEvidence } from './title-evidence.ts';
import { bestSpelling, cutTitle, findRun, folded, isNameIn, type TitleParts } from './title-parts.ts';

/** A section number before a heading, as in "2. ", "26.1. ", "3.1 " and "A.2. ". */
const SECTION_NUMBER = /^(?:\d{1,3}|[A-Z])\.(?:\d{1,3}\.)*(?:\d{1,3})?(?=\s)/;
/** A date, a count or a text in brackets, next to the name in a heading. */
const DATE_OR_COUNT =
  /^(?:[\s\p{N}.,:;#/|-]|\([^()]{0,200}\)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b)*$/iu;

/** A name in a programming language, as in `std::vector`. */
const QUALIFIED_NAME = /^\w+(?:::\w+)+$/;

/**
 * Returns the page's name without the site's, judged by the title, the top headings, the embedded headline and the
 * address.
 */
export function pageTitle(headings: readonly string[], head: PageHead, address: string): string {
  const evidence = titleEvidence(headings, head, address);
  if (evidence.title === '') return evidence.headings[0] ?? '';
  return (
    sharedName(evidence) ??
    qualifiedName(evidence) ??
    headingForSiteTitle(evidence) ??
    headlineName(evidence) ??
    fullerHeading(evidence) ??
    slugName(evidence) ??
    similarHeading(evidence) ??
    socialName(evidence) ??
    evidence.name
  );
}

function sharedName({ titleParts, socialParts, headings, isSite }: TitleEvidence): string | undefined {
  const heading =
    headings.find((text) => isNameIn(titleParts, text, isSite)) ??
    headings.find((text) => isNameIn(socialParts, text, isSite));
  if (heading === undefined) return undefined;
  const name = withoutSite(cutTitle(heading), isSite);
  const isIt = (run: string): boolean => folded(run) === folded(name);
  return bestSpelling(name, findRun(titleParts, isIt) ?? findRun(socialParts, isIt) ?? name);
}

function qualifiedName({ titleParts }: TitleEvidence): string | undefined {
  const [first = ''] = titleParts.parts;
  return QUALIFIED_NAME.test(first) ? first : undefined;
}

/** Returns a heading to replace a title that only names the site, except on the home page. */
function headingForSiteTitle({ name, headings, isSite, isHome }: TitleEvidence): string | undefined {
  if (!isSite(name)) return undefined;
  return (isHome ? undefined : headings.find((heading) => !isSite(heading))) ?? name;
}

/** Returns the first parts of a title that equal the embedded headline. */
function headlineName({ name, headline }: TitleEvidence): string | undefined {
  if (headline === undefined) return undefined;
  return findRun(cutTitle(name), (run) => run !== name && name.startsWith(run) && folded(run) === folded(headline));
}

function onlyHeading({ headings, isSiteHere }: TitleEvidence): string | undefined {
  const [first] = headings;
  if (first === undefined || isSiteHere(first)) return undefined;
  return headings.every((heading) => folded(heading) === folded(first)) ? first : undefined;
}

/** Returns the only heading if it has all words of the name, without a date or a count that only the heading has. */
function fullerHeading(evidence: TitleEvidence): string | undefined {
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

/** Returns the parts of the title that the address names, or the only heading if it has as many long words. */
function slugName(evidence: TitleEvidence): string | undefined {
  const { titleParts, socialParts, name, slug, isSite } = evidence;
  if (!slug.includes(' ')) return undefined;
  const letters = slug.replaceAll(' ', '');
  const isNamed = (run: string): boolean => folded(run).replaceAll(' ', '') === letters && !isSite(run);
  const heading = onlyHeading(evidence);
  const hasLongWords = heading !== undefined && isNamed(heading) && longWordCount(heading) >= longWordCount(name);
  return findRun(titleParts, isNamed) ?? findRun(socialParts, isNamed) ?? (hasLongWords ? heading : undefined);
}

const longWordCount = (text: string): number =>
  folded(text)
    .split(' ')
    .filter((word) => word.length > 3).length;

/**
 * Returns the only heading if it is similar to the title and long enough, or if the title is only the site and a
 * slogan.
 */
function similarHeading(evidence: TitleEvidence): string | undefined {
  const { titleParts, name, isSite, isHome } = evidence;
  const heading = onlyHeading(evidence);
  if (heading === undefined) return undefined;
  const known = new Set(titleParts.parts.flatMap((part) => folded(part).split(' ')));
  const words = folded(heading).split(' ');
  const shared = words.filter((word) => known.has(word)).length;
  const isLoose = cutTitle(name).parts.length > 1 || /[[(]/.test(name) || !endsWithSite(titleParts, isSite);
  const isLong = words.length >= folded(name).split(' ').length;
  const isQuestion = heading.endsWith('?') && !name.includes('?');
  const isSimilar = shared >= words.length / 2 && (isLong || isLoose) && !isQuestion;
  if (isSimilar && missingNumber(evidence, heading) === '') return withoutSite(cutTitle(heading), isSite);
  const isSlogan = titleParts.parts.length > 1 && isSite(titleParts.parts[0] ?? '') && !isHome && shared < 2;
  return isSlogan ? heading : undefined;
}

function endsWithSite({ parts }: TitleParts, isSite: (part: string) => boolean): boolean {
  return parts.length === 1 || isSite(parts.at(-1) ?? '');
}

/** Returns the section number of a heading if the title lacks it, else an empty text. */
function missingNumber({ titleParts }: TitleEvidence, heading: string): string {
  const number = SECTION_NUMBER.exec(heading)?.[0];
  return number === undefined || titleParts.parts.some((part) => part.includes(number)) ? '' : number;
}

/** Returns the title for social media if the page's title only adds a prefix or a suffix to it. */
function socialName({ title, social, isSiteHere }: TitleEvidence): string | undefined {
  if (social === '' || !(title.startsWith(`${social} `) || title.endsWith(`: ${social}`))) return undefined;
  return withoutSite(cutTitle(social), isSiteHere);
}
