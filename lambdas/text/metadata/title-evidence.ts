import { cut } from '../words/folding.ts';
import type { PageHead } from './page-head.ts';
import { siteTest, withoutSite } from './site-name.ts';
import { cutTitle, folded, type TitleParts } from './title-parts.ts';

export const MAX_TITLE = 300;
/** A file name before the real title. */
const READ_ME = /^read ?me(?:\.md)? [|:·•~—–-] /i;

export type TitleEvidence = {
  readonly title: string;
  readonly titleParts: TitleParts;
  /** The title for social media. */
  readonly social: string;
  readonly socialParts: TitleParts;
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

/** Collects the evidence that the rules for a page's name compare. */
export function titleEvidence(headings: readonly string[], head: PageHead, address: string): TitleEvidence {
  const social = nameOf(head.meta.get('og:title')?.[0] ?? head.meta.get('twitter:title')?.[0] ?? '');
  const title = nameOf(head.title) || social;
  const parts = cutTitle(title);
  const url = URL.parse(address);
  const isSite = siteTest(head, url?.hostname ?? '');
  const lastParts = new Set(parts.parts.slice(1).map(folded));
  const foldedHeadings = new Set(headings.map(folded));
  const isSiteHere = (part: string): boolean =>
    isSite(part) || (lastParts.has(folded(part)) && foldedHeadings.has(folded(part)));
  const path = url?.pathname ?? '';
  return {
    title,
    titleParts: parts,
    social,
    socialParts: cutTitle(social),
    name: withoutSite(parts, isSiteHere),
    headings,
    headline: head.jsonLd.find((item) => item.has('headline'))?.get('headline')?.[0],
    slug: slugOf(path),
    isHome: path === '/',
    isSite,
    isSiteHere,
  };
}

const nameOf = (title: string): string => cut(title, MAX_TITLE).replace(READ_ME, '');

function slugOf(path: string): string {
  const names = path.split('/').map((segment) => folded(segment.replace(/\.\w{2,5}$/, '')));
  return names.findLast((name) => /\p{L}/u.test(name)) ?? '';
}
