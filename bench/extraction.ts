import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseDocument } from 'htmlparser2';
import { parse } from 'parse5';
import { extractHtml } from '../lambdas/text/extraction/extract-html.ts';
import { parseHtml } from '../lambdas/text/html/parse-html.ts';
import { plainText } from '../lambdas/text/page-content.ts';

const FOLDER = join(process.env.MATERIAL_DIR ?? '../shared/material', 'extraction');

type Case = { readonly type: string; readonly html: string; readonly url: string; readonly truth: Truth };
type Truth = { readonly title: string; readonly publish_date: string | null; readonly main_content: string };
type Score = {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
  readonly title: number;
  readonly date: DateScore;
};
type DateScore = 'right' | 'wrong' | 'missed' | 'extra' | 'none';
type Scored = { readonly type: string; readonly score: Score };

function readCases(): readonly Case[] {
  const index: readonly { type: string; html: string; truth: string }[] = readJson('index.json');
  return index.map(({ type, html, truth }) => {
    const { url, ground_truth } = readJson<{ url: string; ground_truth: Truth }>(truth);
    return { type, html: gunzipSync(readFileSync(join(FOLDER, html))).toString('utf8'), url, truth: ground_truth };
  });
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
}

function wordBag(text: string): ReadonlyMap<string, number> {
  const bag = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

function overlap(found: string, expected: string): Pick<Score, 'f1' | 'precision' | 'recall'> {
  const [a, b] = [wordBag(found), wordBag(expected)];
  const hits = sum([...a].map(([word, count]) => Math.min(count, b.get(word) ?? 0)));
  const precision = hits / Math.max(1, sum(a.values()));
  const recall = hits / Math.max(1, sum(b.values()));
  return { precision, recall, f1: hits === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/**
 * Normalises a title. Removes differences that its readers do not see: forms of quotes and blanks, direction marks, and
 * glyphs of icon fonts.
 */
function plainTitle(title: string): string {
  return title
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[\p{Cf}\p{Co}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function scoreDate(found: string | undefined, expected: string | undefined): DateScore {
  if (expected === undefined) return found === undefined ? 'none' : 'extra';
  if (found === undefined) return 'missed';
  return found === expected ? 'right' : 'wrong';
}

function scoreCase({ html, url, truth }: Case): Score {
  const content = extractHtml(html, url);
  return {
    ...overlap(plainText(content), truth.main_content),
    title: Number(plainTitle(content.title) === plainTitle(truth.title)),
    date: scoreDate(content.publishedAt?.slice(0, 10), truth.publish_date?.slice(0, 10)),
  };
}

/** Returns pages per second on one core: the best of three rounds over all pages, after a warm-up round. */
function pagesPerSecond(cases: readonly Case[], read: (page: Case) => unknown): number {
  for (const page of cases) read(page);
  const rounds = [1, 2, 3].map(() => {
    const start = performance.now();
    for (const page of cases) read(page);
    return performance.now() - start;
  });
  return Math.round((1000 * cases.length) / Math.min(...rounds));
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? '-' : (part / whole).toFixed(3);
}

function row(type: string, scored: readonly Scored[], speed: number | ''): Record<string, string | number> {
  const column = (name: 'f1' | 'precision' | 'recall' | 'title'): string =>
    ratio(sum(scored.map(({ score }) => score[name])), scored.length);
  const dates = (...kinds: readonly DateScore[]): number =>
    scored.filter(({ score }) => kinds.includes(score.date)).length;
  return {
    type,
    pages: scored.length,
    F1: column('f1'),
    precision: column('precision'),
    recall: column('recall'),
    'title exact': column('title'),
    'date precision': ratio(dates('right'), dates('right', 'wrong')),
    'date recall': ratio(dates('right'), dates('right', 'wrong', 'missed')),
    'dates where none is known': dates('extra'),
    'pages/s': speed,
  };
}

const cases = readCases();
const scored = cases.map((page) => ({ type: page.type, score: scoreCase(page) }));
const types = [...new Set(cases.map(({ type }) => type))];
const rows = types.map((type) =>
  row(
    type,
    scored.filter((one) => one.type === type),
    '',
  ),
);
const extracting = pagesPerSecond(cases, ({ html, url }) => extractHtml(html, url));
console.table([...rows, row('all', scored, extracting)]);

/**
 * The articles of `material/articles`. They are compared by runs of four words, and by titles without the site's or
 * author's name at the end.
 */
const ARTICLES = join(FOLDER, '..', 'articles');
type Article = { readonly id: string; readonly title: string; readonly text: string };

function runsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.slice(3).map((_, i) => words.slice(i, i + 4).join(' ')));
}

function scoreArticle({ id, title, text }: Article) {
  const html = gunzipSync(readFileSync(join(ARTICLES, `${id}.html.gz`))).toString('utf8');
  const content = extractHtml(html, 'https://www.example.com/page.html');
  const [found, expected] = [runsOf(plainText(content)), runsOf(text)];
  const hits = [...found].filter((run) => expected.has(run)).length;
  const [own, given] = [plainTitle(content.title), plainTitle(title)];
  const isAtEnd = (part: string, whole: string) => part !== '' && (whole.startsWith(part) || whole.endsWith(part));
  return {
    precision: hits / Math.max(1, found.size),
    recall: expected.size === 0 ? 1 : hits / expected.size,
    exact: Number(own === given),
    title: Number(own === given || isAtEnd(own, given) || isAtEnd(given, own)),
  };
}

const articles = readFileSync(join(ARTICLES, 'index.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => scoreArticle(JSON.parse(line)));
const mean = (name: keyof (typeof articles)[number]) =>
  ratio(sum(articles.map((score) => score[name])), articles.length);
console.table([
  {
    articles: articles.length,
    precision: mean('precision'),
    recall: mean('recall'),
    'title exact': mean('exact'),
    'title without site': mean('title'),
  },
]);

const parsers: Readonly<Record<string, (html: string) => unknown>> = {
  'flat tree': (html) => parseHtml(html),
  htmlparser2: (html) => parseDocument(html),
  parse5: (html) => parse(html),
};
const parsing = Object.entries(parsers).map(([parser, read]) => ({
  parser,
  'pages/s': pagesPerSecond(cases, ({ html }) => read(html)),
}));
console.table(parsing);
