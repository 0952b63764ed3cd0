import * as z from 'zod';
import type { FacetCounts, IndexReader, Passage, PassageRef, TitleQuery } from '../../../domain/ports/index-reader.ts';
import type { SiteScope } from '../../../domain/ports/page-index.ts';
import { listingOf } from '../../../domain/ports/rules/listing.ts';
import { type IndexRef, multiSearch, parseAnswer } from './multi-search.ts';
import { facets, pagesByTitle, pagesWithText, passages } from './scoped-queries.ts';

const hits = <T extends z.ZodType>(hit: T) => z.object({ hits: z.object({ hits: z.array(hit) }) });

const StoredSection = z
  .string()
  .transform((json): unknown => JSON.parse(json))
  .pipe(z.tuple([z.number(), z.string(), z.string()]))
  .transform(([line, heading, anchor]) => ({ line, heading, anchor }));

const Chunk = z.object({
  fields: z.object({
    'chunks.ord': z.tuple([z.number()]),
    'chunks.text': z.tuple([z.string()]).default(['']),
    'chunks.headings': z.array(z.string()).default([]),
    'chunks.sections': z.array(StoredSection).default([]),
  }),
});
const Shown = z.object({
  url: z.string(),
  aliases: z.array(z.string()),
  urlHash: z.string(),
  revision: z.number(),
  title: z.string(),
  summary: z.string().exactOptional(),
  language: z.string().exactOptional(),
  tags: z.array(z.string()),
  facts: z.array(z.string()),
  metadata: z
    .string()
    .transform((json): Readonly<Record<string, unknown>> => JSON.parse(json))
    .exactOptional(),
  publishedAt: z.string().exactOptional(),
  crawledAt: z.string(),
});
const WithChunks = hits(z.object({ _source: Shown, inner_hits: z.object({ chunks: hits(Chunk) }) }));

const Listed = hits(
  z.object({ _source: z.object({ url: z.string(), urlHash: z.string(), title: z.string(), revision: z.number() }) }),
);
const Titled = hits(
  z.object({
    sort: z.tuple([z.number(), z.number()]),
    fields: z.object({
      siteId: z.tuple([z.string()]),
      url: z.tuple([z.string()]),
      suggestion: z.tuple([z.string()]).optional(),
    }),
  }),
);

const Buckets = z.object({ buckets: z.array(z.object({ key: z.string(), doc_count: z.number() })) });
const Counts = z.object({ aggregations: z.record(z.string(), Buckets) });

export async function readPassages(
  index: IndexRef,
  refs: readonly PassageRef[],
): Promise<readonly (Passage | undefined)[]> {
  const siteOf = ({ siteId, generation }: SiteScope) => `${siteId} ${generation}`;
  const chunkOf = (ref: PassageRef) => `${siteOf(ref)} ${ref.urlHash} ${ref.ord}`;
  const sites = [...Map.groupBy(refs, siteOf).values()] as [PassageRef, ...PassageRef[]][];
  const answers = await multiSearch(
    index,
    sites.map((ofSite) => passages(ofSite[0], ofSite)),
  );
  const found = sites.flatMap(([scope], i) => passagesOf(scope, answers[i]));
  const byChunk = new Map(found.map((passage) => [chunkOf(passage), passage]));
  return refs.map((ref) => byChunk.get(chunkOf(ref)));
}

function passagesOf({ siteId, generation }: SiteScope, answer: unknown): readonly Passage[] {
  return parseAnswer(WithChunks, answer).hits.hits.flatMap(({ _source, inner_hits }) =>
    inner_hits.chunks.hits.hits.map(({ fields }) => ({
      siteId,
      generation,
      ..._source,
      ord: fields['chunks.ord'][0],
      headings: fields['chunks.headings'],
      sections: fields['chunks.sections'],
      text: fields['chunks.text'][0],
    })),
  );
}

export async function countFacets(
  index: IndexRef,
  { scopes, fields, limit }: Parameters<IndexReader['facets']>[0],
): Promise<readonly FacetCounts[]> {
  if (fields.length === 0) return [];
  const [answer] = await multiSearch(index, [facets(scopes, { fields, limit })]);
  const { aggregations } = parseAnswer(Counts, answer);
  return fields.map((field, i) => {
    const withoutPrefix = (value: string) => ('prefix' in field ? value.slice(field.prefix.length) : value);
    const valuesOf = (name: string) =>
      aggregations[`${name}${i}`]?.buckets.map(({ key, doc_count: count }) => ({ value: withoutPrefix(key), count })) ??
      [];
    const [least, greatest] = [valuesOf('least')[0]?.value, valuesOf('greatest')[0]?.value];
    const range = least !== undefined && greatest !== undefined && { range: [least, greatest] as const };
    return { name: field.name, values: valuesOf('values'), ...range };
  });
}

export async function pagesByUrl(
  index: IndexRef,
  ...[scope, { limit, ...query }]: Parameters<IndexReader['find']>
): ReturnType<IndexReader['find']> {
  const [answer] = await multiSearch(index, [pagesWithText(scope, { ...query, limit: limit + 1 })]);
  const found = parseAnswer(Listed, answer).hits.hits.map(({ _source }) => _source);
  return listingOf(found, limit, ({ url }) => url);
}

/** Returns no pages from an index of an earlier layout, which is searched until its reindexing ends. */
export async function titledPages(index: IndexRef, query: TitleQuery): ReturnType<IndexReader['titled']> {
  if (query.words.length === 0) return { pages: [], withTypos: true };
  const [answer] = await multiSearch(index, [pagesByTitle(query)]);
  const found = parseAnswer(Titled, answer).hits.hits;
  const asTyped = found.filter(({ sort: [score] }) => score > 0);
  const withTypos = asTyped.length === 0;
  const pages = (withTypos ? found : asTyped).flatMap(({ fields: { siteId, url, suggestion } }) =>
    suggestion ? [{ siteId: siteId[0], url: url[0], title: suggestion[0] }] : [],
  );
  return { pages, withTypos };
}
