import { defined } from '../../../text/defined.ts';
import type { QueryTerm } from '../../../text/words/query-terms.ts';
import type { IndexReader, Passage } from '../../ports/index-reader.ts';
import type { SiteRecord } from '../../sites/site.ts';
import type { Hit } from '../find-pages.ts';
import { furtherChunks } from '../rank/rank-pages.ts';
import type { SearchedSite } from '../searched-site.ts';
import { matchingAddress } from './matching-address.ts';
import { type Section, sectionAt } from './passage-section.ts';
import { shownUrl } from './shown-url.ts';
import { type SnippetCutter, snippetCutter } from './snippet.ts';

export type SectionResult = Section & {
  readonly snippet: string;
  readonly highlights: readonly [start: number, end: number][];
};

export type SearchResult = {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** Ranges of the query's words, as offsets into the snippet. */
  readonly highlights: readonly [start: number, end: number][];
  readonly score: number;
  /** Section of the passage in the snippet; absent if no heading above the passage has an anchor. */
  readonly section?: Section;
  /** Further passages of the page, best first. */
  readonly sections?: readonly SectionResult[];
  readonly metadata: {
    readonly summary?: string;
    readonly tags: readonly string[];
    readonly publishedAt?: string;
    readonly crawledAt: string;
  };
};

type Shown<Result> = {
  /** Hits that include the chunks of the pages. */
  readonly chunks: readonly Hit[];
  readonly terms: readonly QueryTerm[];
  readonly sections: number;
  /** The sites that were searched. */
  readonly sites: readonly SearchedSite[];
  readonly index: Pick<IndexReader, 'passages'>;
  readonly resultOf: (result: SearchResult, site: SiteRecord) => Result;
};

const BUILT_IN = new Set(['summary', 'tags', 'publishedAt', 'crawledAt']);

/** Reads the passages of the pages shown, and makes results of them. */
export async function shownResults<Result extends SearchResult>(
  pages: readonly Hit[],
  { chunks, terms, sections, sites, index, resultOf }: Shown<Result>,
): Promise<readonly Result[]> {
  const further = sections > 0 ? furtherChunks(pages, chunks, sections) : new Map<string, readonly Hit[]>();
  const ofPage = (hit: Hit) => [hit, ...(further.get(hit.page) ?? [])];
  const passages = await index.passages(pages.flatMap(ofPage).map((hit) => ({ ...hit.ref, ord: hit.chunk })));
  const snippetOf = snippetCutter(terms);
  const filtersOf = new Map(sites.map(({ site, filters }) => [site.settings.siteId, filters]));
  let next = 0;
  return pages.flatMap((hit) => {
    const [passage, ...others] = ofPage(hit).map(() => passages[next++]);
    if (!passage) return [];
    const url = matchingAddress(passage, filtersOf.get(hit.ref.siteId));
    const main = result({ ...passage, url }, hit, snippetOf);
    const more = sections > 0 && { sections: furtherSections(main, others, snippetOf).slice(0, sections) };
    return [resultOf({ ...main, ...more }, hit.site)];
  });
}

function furtherSections(
  { section }: SearchResult,
  passages: readonly (Passage | undefined)[],
  snippetOf: SnippetCutter,
): readonly SectionResult[] {
  const seen = new Set([section?.anchor]);
  return passages.flatMap((passage) => {
    if (!passage) return [];
    const { text, highlights, line } = snippetOf(passage.text, passage.language ?? '');
    const found = sectionAt(passage, line);
    if (!found || seen.has(found.anchor)) return [];
    seen.add(found.anchor);
    return [{ ...found, snippet: text, highlights: highlights.map(([start, end]): [number, number] => [start, end]) }];
  });
}

function result(passage: Passage, { score, site }: Hit, snippetOf: SnippetCutter): SearchResult {
  const { text, highlights, line } = snippetOf(passage.text, passage.language ?? '');
  const section = sectionAt(passage, line);
  return {
    url: shownUrl(passage.url, site),
    title: passage.title,
    snippet: text,
    highlights: highlights.map(([start, end]) => [start, end]),
    score: Math.min(1, score),
    ...(section && { section }),
    metadata: {
      ...customFields(passage.metadata),
      ...defined({ summary: passage.summary }),
      tags: passage.tags,
      ...defined({ publishedAt: passage.publishedAt }),
      crawledAt: passage.crawledAt,
    },
  };
}

/** Returns the metadata without the built-in names, which are reserved. */
function customFields(metadata: Passage['metadata'] = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !BUILT_IN.has(name)));
}
