import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingestedContent } from '../../lambdas/domain/pages/ingest/ingested-content.ts';
import type { PageContent } from '../../lambdas/text/page-content.ts';
import { type Manual, readManual } from './varied-manual.ts';

const FOLDER = join(process.env.MATERIAL_DIR ?? '../shared/material', 'questions');
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_-]*/gu;
/** The most frequent words of the pages, which drawn queries leave out. */
const LEFT_OUT = 200;
const LONG = 8;

type Line = { readonly question: string; readonly title: string; readonly passage: string };

export type QuerySets = {
  /** The manual, and the passages that people's questions are about. */
  readonly manual: Manual;
  /** By name; of each kind as many as wanted. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
};

/** Queries that ask for the same pages in different ways, the same in every run. */
export function querySets(count: number): QuerySets {
  const read = readManual();
  const asked = readFileSync(join(FOLDER, 'answers.jsonl'), 'utf8').trim().split('\n');
  const lines = asked.map((line) => JSON.parse(line) as Line);
  const passages = [...new Map(lines.map((line) => [line.passage, line])).values()].map(passagePage);
  const manual = { ...read, pages: [...read.pages, ...passages] };
  const drawn = new DrawnQueries(manual.pages);
  const some = (queries: readonly string[]) =>
    Array.from({ length: count }, (_, i) => queries[i % queries.length] ?? '');
  return {
    manual,
    sets: {
      'known titles': some(evenly(manual.pages, count).map(({ title }) => bare(title))),
      'entries of a book index': some(read.queries),
      'questions of people': some(evenly(lines, count).map(({ question }) => question)),
      'words of one page': drawn.of(count, (i) => 2 + (i % 3)),
      'eight words of one page': drawn.of(count, () => LONG),
      'eight words of eight pages': drawn.mixed(count),
    },
  };
}

function passagePage({ title, passage }: Line, index: number): PageContent {
  const url = `https://passages.example/${index}`;
  return ingestedContent({ url, title, content: passage, contentType: 'text', preProcessed: false }, url);
}

const bare = (title: string): string => title.replace(/^(?:[\dA-Z]+\.)+\s/, '');

function evenly<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, i) => i % step === 0);
}

/** Neighbouring words of a page, without the words that most pages have. */
class DrawnQueries {
  readonly #pages: readonly (readonly string[])[];

  constructor(pages: readonly PageContent[]) {
    const words = pages.map(({ blocks }) => blocks.flatMap(({ text }) => text.match(WORD) ?? []));
    const counts = new Map<string, number>();
    for (const word of words.flat()) counts.set(word.toLowerCase(), 1 + (counts.get(word.toLowerCase()) ?? 0));
    const ranked = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, LEFT_OUT);
    const frequent = new Set(ranked.map(([word]) => word));
    this.#pages = words
      .map((ofPage) => ofPage.filter((word) => !frequent.has(word.toLowerCase())))
      .filter(({ length }) => length > LONG);
  }

  of(count: number, length: (index: number) => number): readonly string[] {
    return Array.from({ length: count }, (_, i) => this.#words(i, length(i)).join(' '));
  }

  /** Words of different pages together. */
  mixed(count: number): readonly string[] {
    return Array.from({ length: count }, (_, i) =>
      Array.from({ length: LONG }, (_, k) => this.#words(i * LONG + k, 1)[0]).join(' '),
    );
  }

  #words(index: number, length: number): readonly string[] {
    const page = this.#pages[(index * 7919) % this.#pages.length] ?? [];
    const start = (index * 104_729) % (page.length - length);
    return page.slice(start, start + length);
  }
}
