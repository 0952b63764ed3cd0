import type { PageFilter } from '../domain/ports/index-reader.ts';
import type { IndexEntry } from '../domain/ports/page-index.ts';
import { pathOf } from '../text/web/url.ts';

/** The fields of a page that searches filter by or return. `id` is its row in the file. */
export type PageFacts = Pick<
  IndexEntry,
  'urlHash' | 'url' | 'aliases' | 'titleLength' | 'language' | 'publishedAt' | 'tags' | 'facts'
> & {
  readonly id: number;
  /** Path with the query string. */
  readonly path: string;
};

type ValueFilter = Exclude<PageFilter, { readonly field: 'any' | 'url' }>;
export type PageTest = (page: PageFacts) => boolean;

export function filterTest(filter: PageFilter): PageTest {
  if (filter.field === 'any') {
    const tests = filter.of.map(filterTest);
    return (page) => tests.some((test) => test(page));
  }
  if (filter.field === 'url') return addressTest(filter);
  const matches = valueTest(filter);
  if (filter.field === 'tags' || filter.field === 'facts') {
    const { field } = filter;
    return (page) => page[field].some(matches);
  }
  const { field } = filter;
  return (page) => page[field] !== undefined && matches(page[field]);
}

function addressTest({ urlPrefixes, pathPrefixes }: Extract<PageFilter, { readonly field: 'url' }>): PageTest {
  const passes = (url: string, path: string) =>
    urlPrefixes.some((prefix) => url.startsWith(prefix)) || pathPrefixes.some((prefix) => path.startsWith(prefix));
  return (page) => passes(page.url, page.path) || page.aliases.some((alias) => passes(alias, pathOf(alias)));
}

function valueTest(filter: ValueFilter): (value: string) => boolean {
  if ('anyOf' in filter) {
    const wanted = new Set(filter.anyOf);
    return (value) => wanted.has(value);
  }
  return (value) => value >= filter.from && value <= filter.to;
}
