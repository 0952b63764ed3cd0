import type { PageHead } from './page-head.ts';
import { folded, joinParts, type TitleParts } from './title-parts.ts';

const SAYS_NOTHING = /^(?:home|home ?page|index|welcome)$/i;
const SITE_TYPES = new Set(['WebSite', 'Organization', 'NewsMediaOrganization', 'Corporation']);

/** Returns a test of whether a part of a title is the site's name, by the page's metadata and its host. */
export function siteTest({ meta, jsonLd }: PageHead, host: string): (part: string) => boolean {
  const named = jsonLd.filter((item) => item.get('@type')?.some((type) => SITE_TYPES.has(type)));
  const names = [
    ...(meta.get('og:site_name') ?? []),
    ...(meta.get('application-name') ?? []),
    ...named.flatMap((item) => item.get('name') ?? []),
  ].map((name) => ` ${folded(name)} `);
  const labels = host.split('.').slice(0, -1);
  const longLabels = host.split('.').filter((label) => label.length > 3);
  return (part) => {
    const name = folded(part);
    if (name === '') return false;
    const word = name.replaceAll(' ', '');
    const initials = name.replace(/(\p{L})\p{L}* ?/gu, '$1');
    return (
      names.some((known) => known.trim() === name || (name.includes(' ') && known.includes(` ${name} `))) ||
      (word.length > 1 && labels.includes(word)) ||
      longLabels.some((label) => label === initials || isLabelled(word, label))
    );
  };
}

/** Returns whether a word is most of a host label, or a label with a little more, as in `GitHub Docs`. */
function isLabelled(word: string, label: string): boolean {
  return word.length > 3 && (label.includes(word) || (word.startsWith(label) && word.length < 2 * label.length));
}

/** Drops the site's name from the end, and a part after a bar, unless nothing else is left. */
export function withoutSite(title: TitleParts, isSite: (part: string) => boolean): string {
  const { parts, marks } = title;
  let count = parts.length;
  while (count > 1 && isSite(parts[count - 1] ?? '')) count--;
  if (count === parts.length && count > 1 && marks[count - 2]?.trim() === '|') count--;
  const name = joinParts(title, 0, count);
  return folded(name) === '' || isSite(name) || SAYS_NOTHING.test(name) ? joinParts(title, 0, parts.length) : name;
}
