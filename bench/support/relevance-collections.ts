import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingestedContent } from '../../lambdas/domain/pages/ingest/ingested-content.ts';
import { extractHtml } from '../../lambdas/text/extraction/extract-html.ts';
import { type PageContent, plainText } from '../../lambdas/text/page-content.ts';
import { detectLanguage } from '../../lambdas/text/words/detect-language.ts';
import { debianFolder, postgresqlManual } from './postgresql-manual.ts';

const MATERIAL = process.env.MATERIAL_DIR ?? '../shared/material';
const ORIGIN = 'https://docs.example/';

/** A query with the URLs of the pages that answer it. */
export type Query = { readonly text: string; readonly answers: readonly string[] };
export type Collection = {
  readonly pages: readonly { readonly url: string; readonly content: PageContent }[];
  readonly queries: readonly Query[];
};

/**
 * Returns the PostgreSQL manual. Its queries are the terms of its index, with a second level appended to the first. The
 * index page and the tables of contents are pages of the site, but never answers.
 */
export function postgresql(): Collection {
  const folder = postgresqlManual();
  return { pages: htmlPages(folder), queries: indexTerms(readFileSync(join(folder, 'bookindex.html'), 'utf8')) };
}

/** Manuals that were not used for tuning, by Debian package, with a sample of the queries of large ones. */
export const OTHER_MANUALS = {
  'python3.11-doc': () => linkedNames('python3.11-doc', 'usr/share/doc/python3.11/html', 'genindex-all.html', 12),
  'sqlite3-doc': () => linkedNames('sqlite3-doc', 'usr/share/doc/sqlite3', 'keyword_index.html', 3),
  'git-doc': () => linkedNames('git-doc', 'usr/share/doc/git/html', 'git.html', 1),
} as const satisfies Readonly<Record<string, () => Collection>>;

/** Returns passages of a product's documentation as pages, and questions about them. */
export function answers(): Collection {
  const read = <T>(name: string): readonly T[] => JSON.parse(readFileSync(join(MATERIAL, 'answers', name), 'utf8'));
  const passages = read<{ url: string; heading: string; text: string }>('chunks.json');
  const questions = read<{ question: string; urls: readonly string[] }>('questions.json');
  return {
    pages: passages.map(({ url, heading, text }) => ({
      url,
      content: ingestedContent({ url, title: heading, content: text, contentType: 'text', preProcessed: false }, url),
    })),
    queries: questions.map(({ question, urls }) => ({ text: question, answers: urls })),
  };
}

/** Returns each distinct title as a query, answered by every page with that title. */
export function titleQueries({ pages }: Collection): readonly Query[] {
  const byTitle = Map.groupBy(pages, ({ content }) => content.title.toLowerCase());
  return [...byTitle.values()].map((same) => ({
    text: same[0]?.content.title ?? '',
    answers: same.map(({ url }) => url),
  }));
}

export function htmlPages(folder: string): Collection['pages'] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  return names.sort().map((name) => {
    const url = ORIGIN + name;
    const content = extractHtml(readFileSync(join(folder, name), 'utf8'), url);
    const language = content.language ?? detectLanguage(plainText(content));
    return { url, content: { ...content, ...(language !== undefined && { language }) } };
  });
}

function indexTerms(html: string): readonly Query[] {
  const found = new Map<string, Set<string>>();
  const above: string[] = [];
  let level = 0;
  for (const [tag] of html.matchAll(/<dl>|<\/dl>|<dt[ >].*?<\/dt>/gs)) {
    if (tag === '<dl>') level++;
    else if (tag === '</dl>') level--;
    else {
      const [entry = '', ...links] = tag.split(/,?\s*(?=<a class="indexterm")/);
      above[level] = plain(entry).replace(/,$/, '');
      const term = above.slice(1, level + 1).join(' ');
      for (const link of links) addAnswer(found, term, /href="([^"#]+)/.exec(link)?.[1]);
    }
  }
  return queriesOf(found);
}

/**
 * Returns queries from a page that lists names as links. Every `every`th name is a query, answered by the link's
 * target.
 */
function linkedNames(packageName: string, path: string, listName: string, every: number): Collection {
  const folder = debianFolder(packageName, path);
  const found = new Map<string, Set<string>>();
  for (const [, page, label = ''] of readFileSync(join(folder, listName), 'utf8').matchAll(
    /<a href=["']([^"'#]+\.html)(?:#[^"']*)?["']>(.*?)<\/a>/gs,
  )) {
    const name = plain(label).replace(/ ?\(.*$/, '');
    if (!name.startsWith('[')) addAnswer(found, name, page);
  }
  return { pages: htmlPages(folder), queries: queriesOf(found).filter((_, i) => i % every === 0) };
}

function addAnswer(found: Map<string, Set<string>>, term: string, page: string | undefined): void {
  if (page === undefined || !/[\p{L}\p{N}]/u.test(term)) return;
  found.set(term, (found.get(term) ?? new Set()).add(ORIGIN + page));
}

const queriesOf = (found: ReadonlyMap<string, ReadonlySet<string>>): readonly Query[] =>
  Array.from(found, ([text, pages]) => ({ text, answers: [...pages] }));

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

function plain(html: string): string {
  const text = html.replace(/<[^>]+>/g, '').replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole);
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .trim();
}
