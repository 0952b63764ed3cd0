import type { DatabaseSync } from 'node:sqlite';
import type {
  FacetCounts,
  FacetField,
  IndexEntry,
  Page,
  PageFilter,
  PageIndex,
  Passage,
  PassageRef,
  SiteScope,
} from '../../ports.ts';
import type { IndexSpaces } from './index-space.ts';
import { allOf, filterCondition } from './page-conditions.ts';

/** Sorts after everything that starts with the prefix. */
const LAST = '\u{10ffff}';

/** What is shown of the index: texts, facets, titles. */
export function indexReader(database: DatabaseSync, spaces: IndexSpaces) {
  const passage = database.prepare(
    `SELECT p.revision, p.url, p.title, p.language, p.summary, p.tags, p.facts, p.published_at, p.crawled_at, c.headings, c.text
     FROM index_page p JOIN index_chunk c ON c.page = p.id WHERE p.space = ? AND p.url_hash = ? AND c.ord = ?`,
  );
  const find = database.prepare(
    `SELECT url, url_hash AS urlHash, title FROM index_page
     WHERE space = ? AND url > ? AND instr(sought, ?) > 0 ORDER BY url LIMIT ?`,
  );

  const onePassage = ({ ord, urlHash, siteId, generation }: PassageRef): Passage | undefined => {
    const space = spaces.find({ siteId, generation });
    const row = space && passage.get(space.id, urlHash, ord);
    if (!row) return undefined;
    return {
      ...{ siteId, generation, urlHash, ord },
      revision: Number(row.revision),
      url: String(row.url),
      title: String(row.title),
      ...(row.language !== null && { language: String(row.language) }),
      ...(row.summary !== null && { summary: String(row.summary) }),
      tags: JSON.parse(String(row.tags)),
      facts: JSON.parse(String(row.facts)),
      ...(row.published_at !== null && { publishedAt: String(row.published_at) }),
      crawledAt: String(row.crawled_at),
      headings: JSON.parse(String(row.headings)),
      text: String(row.text),
    };
  };

  const counts = (field: FacetField, ids: string, filters: readonly PageFilter[], limit: number): FacetCounts => {
    const { sql, values } = allOf(filters.map(filterCondition));
    const from = field.of === 'language' ? 'index_page p' : `index_page p, json_each(p.${field.of}) AS each`;
    const prefix = field.of === 'facts' ? field.prefix : '';
    const value = field.of === 'language' ? 'p.language' : 'each.value';
    const where = `p.space IN (SELECT value FROM json_each(?)) AND ${value} >= ? AND ${value} < ?${sql}`;
    const parameters = [ids, prefix, prefix + LAST, ...values];
    const rows = database
      .prepare(
        `SELECT ${value} AS value, count(DISTINCT p.id) AS count FROM ${from} WHERE ${where} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
      )
      .all(...parameters, limit);
    const ends = database
      .prepare(`SELECT min(${value}) AS least, max(${value}) AS greatest FROM ${from} WHERE ${where}`)
      .get(...parameters);
    const cut = (text: unknown) => String(text).slice(prefix.length);
    return {
      name: field.name,
      values: rows.map((row) => ({ value: cut(row.value), count: Number(row.count) })),
      ...(typeof ends?.least === 'string' && { range: [cut(ends.least), cut(ends.greatest)] as const }),
    };
  };

  return {
    passages: (refs: readonly PassageRef[]): readonly (Passage | undefined)[] => refs.map(onePassage),

    facets({ scopes, filters, fields, limit }: Parameters<PageIndex['facets']>[0]): readonly FacetCounts[] {
      const ids = JSON.stringify(scopes.flatMap((scope) => spaces.find(scope)?.id ?? []));
      return fields.map((field) => counts(field, ids, filters, limit));
    },

    find(
      scope: SiteScope,
      { text, limit, after = '' }: Parameters<PageIndex['find']>[1],
    ): Page<Pick<IndexEntry, 'url' | 'urlHash' | 'title'>> {
      const space = spaces.find(scope);
      if (!space) return { items: [] };
      const rows = find.all(space.id, after, text.toLowerCase(), limit + 1) as unknown as Pick<
        IndexEntry,
        'url' | 'urlHash' | 'title'
      >[];
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return { items, ...(rows.length > limit && last && { next: last.url }) };
    },
  };
}
