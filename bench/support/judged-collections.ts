import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingestedContent } from '../../lambdas/domain/pages/ingest/ingested-content.ts';
import type { Collection } from './relevance-collections.ts';

const MATERIAL = process.env.MATERIAL_DIR ?? '../shared/material';

/** A query with judged pages, in the form of the BEIR collections: grades by URL, 0 and less for "not relevant". */
export type JudgedQuery = { readonly text: string; readonly grades: ReadonlyMap<string, number> };
export type JudgedCollection = Pick<Collection, 'pages'> & { readonly queries: readonly JudgedQuery[] };

/**
 * Reads a collection of MATERIAL_DIR/relevance, with one page for each document. Leaves out queries without a relevant
 * document.
 */
export function judged(name: string): JudgedCollection {
  const folder = join(MATERIAL, 'relevance', name);
  const lines = (file: string) => readFileSync(join(folder, file), 'utf8').trim().split('\n');
  const records = (file: string) => lines(file).map((line) => JSON.parse(line) as Record<string, string>);
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines('qrels/test.tsv').slice(1)) {
    const [query = '', document = '', grade] = line.split('\t');
    const ofQuery = grades.get(query) ?? new Map<string, number>();
    grades.set(query, ofQuery.set(urlOf(document), Number(grade)));
  }
  return {
    pages: records('corpus.jsonl').map(({ _id = '', title = '', text = '' }) => {
      const url = urlOf(_id);
      const content = ingestedContent(
        { url, title: title || _id, content: text || title || _id, contentType: 'text', preProcessed: false },
        url,
      );
      return { url, content: { ...content, language: 'en' } };
    }),
    queries: records('queries.jsonl').flatMap(({ _id = '', text = '' }) => {
      const ofQuery = grades.get(_id) ?? new Map<string, number>();
      return [...ofQuery.values()].some((grade) => grade > 0) ? [{ text, grades: ofQuery }] : [];
    }),
  };
}

const urlOf = (document: string): string => `https://docs.example/${document}`;

/** Returns the normalised discounted cumulative gain of the first ten results. 1 means that no order is better. */
export function ndcg10(urls: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (grade: number, index: number) => Math.max(0, grade) / Math.log2(index + 2);
  const sum = (list: readonly number[]) => list.slice(0, 10).reduce((total, grade, i) => total + gain(grade, i), 0);
  const best = [...grades.values()].sort((a, b) => b - a);
  return sum(urls.map((url) => grades.get(url) ?? 0)) / sum(best);
}
