import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractHtml } from '../../lambdas/text/extraction/extract-html.ts';
import type { Block, PageContent } from '../../lambdas/text/page-content.ts';
import { fnv1aOfText } from '../../lambdas/text/words/fnv1a.ts';
import { postgresqlManual } from './postgresql-manual.ts';

/** The rates of replaced words: one in 8 becomes another word of the manual, one in 64 a new word. */
const EXCHANGED = 8;
const COINED = 64;
const WORD = /\b[a-z]{6,}\b/g;
const ENDINGS = ['ably', 'ance', 'ette', 'ible', 'ing', 'ism', 'ory', 'ure'];
/** Matches entries of the index with a link. */
const INDEX_ENTRY = /<dt id="[^"]*">([^<]+),\s*<a class="indexterm"/g;
const MIN_WORDS = 2;
const MAX_WORDS = 6;

export type Manual = { readonly pages: readonly PageContent[]; readonly queries: readonly string[] };

/** Reads the pages of the PostgreSQL manual, with queries from its index and its titles. */
export function readManual(): Manual {
  const folder = postgresqlManual();
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const names = readdirSync(folder).filter((name) => name.endsWith('.html') && name !== 'bookindex.html');
  const pages = names.map((name) => extractHtml(read(name), `https://manual.example/${name}`));
  const entries = Array.from(read('bookindex.html').matchAll(INDEX_ENTRY), ([, entry]) => entry as string);
  const questions = pages.map(({ title }, n) => `${n % 2 === 0 ? 'how does' : 'what is'} ${title.toLowerCase()}`);
  const queries = [...entries, ...questions].map((text) => text.replace(/&\w+;|\s+/g, ' ').trim());
  const lengths = (query: string) => query.split(' ').length;
  const fitting = queries.filter((query) => lengths(query) >= MIN_WORDS && lengths(query) <= MAX_WORDS);
  return { pages, queries: shuffled([...new Set(fitting)]) };
}

/**
 * Yields any number of pages: those of the manual, then pages of its shuffled paragraphs with some words replaced and
 * some new, so that the vocabulary grows and words stay equally rare.
 */
export function* variedPages({ pages }: Manual): Generator<PageContent> {
  yield* pages;
  const pools = Map.groupBy(
    pages.flatMap(({ blocks }) => blocks),
    ({ kind }) => kind,
  );
  const words = pages.flatMap(({ blocks }) => blocks.flatMap(({ text }) => text.match(WORD) ?? []));
  for (let copy = 1; ; copy++) {
    let index = 0;
    const variedBlock = (block: Block): Block => {
      const pool = pools.get(block.kind) ?? [block];
      const picked = pool[hash(`${copy} ${index++}`) % pool.length] ?? block;
      return { ...block, text: varied(picked.text, copy, words) };
    };
    for (const page of pages) {
      yield { ...page, title: varied(page.title, copy, words), blocks: page.blocks.map(variedBlock) };
    }
  }
}

function varied(text: string, copy: number, words: readonly string[]): string {
  return text.replace(WORD, (word) => {
    const drawn = hash(`${word} ${copy}`);
    if (drawn % COINED === 1) return word.slice(0, 5) + (ENDINGS[(drawn >>> 8) % ENDINGS.length] ?? '') + letters(copy);
    return drawn % EXCHANGED === 0 ? (words[(drawn >>> 4) % words.length] ?? word) : word;
  });
}

const letters = (number: number): string =>
  number.toString().replace(/\d/g, (digit) => 'klmnprstvz'[Number(digit)] ?? '');

const shuffled = (texts: readonly string[]): readonly string[] => texts.toSorted((a, b) => hash(a) - hash(b));

/** Returns FNV-1a with its bits mixed. It is the same in every run. */
function hash(text: string): number {
  let mixed = fnv1aOfText(text);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
