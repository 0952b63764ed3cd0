import type { RegisteredPage } from '../../../lambdas/domain/pages/page-registry.ts';
import type { PageDraft } from '../../../lambdas/domain/pages/page-writer.ts';
import { urlHash } from '../../../lambdas/text/web/url.ts';

export const ORIGIN = 'https://site.example';
/** The keys of ingested versions; crawled versions have none. */
export const KEYS = ['one', 'two'] as const;

export const PAGES = ['a', 'b', 'c', 'd'].map((name) => {
  const url = `${ORIGIN}/${name}`;
  return { url, urlHash: urlHash(url) };
});
export type PageName = (typeof PAGES)[number];

/** A page whose title, hashes and text are its version; `links` may change where the version does not. */
export function draftOf(
  { url, urlHash: hash }: PageName,
  before: RegisteredPage | undefined,
  source: RegisteredPage['source'],
  { title, links = '', key }: { readonly title: string; readonly links?: string; readonly key?: string | undefined },
): PageDraft {
  const row = {
    url,
    urlHash: hash,
    title,
    tags: [],
    source,
    contentHash: title,
    textHash: title,
    crawledAt: '',
    indexedAt: 0,
    ...(links !== '' && { linksHash: links }),
    ...(key !== undefined && { key }),
  };
  const page = {
    url,
    title,
    language: 'en',
    tags: [],
    noindex: false,
    nofollow: false,
    blocks: [{ kind: 'text' as const, text: `The text of ${title}.` }],
    links: links === '' ? [] : [{ href: links, nofollow: false }],
  };
  return { before, row, page };
}
