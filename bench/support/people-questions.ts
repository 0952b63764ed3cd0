import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingestedContent } from '../../lambdas/domain/pages/ingest/ingested-content.ts';
import { plainText } from '../../lambdas/text/page-content.ts';
import { judged } from './judged-collections.ts';
import type { Collection } from './relevance-collections.ts';

const FOLDER = join(process.env.MATERIAL_DIR ?? '../shared/material', 'questions');
const LANGUAGES = ['en', 'de', 'es', 'zh'] as const;
/** The longest query that a search takes. */
const MAX_CHARACTERS = 2048;

/** `sentences` are those that annotators chose; `words` are those of the answer. Without a page, nothing answers. */
export type Question = {
  readonly text: string;
  readonly page?: string;
  readonly sentences?: readonly string[];
  readonly words?: string;
};
export type Asked = Pick<Collection, 'pages'> & { readonly questions: readonly Question[] };

export const hasAnswer = ({ page }: Question): boolean => page !== undefined;

export const PEOPLE = 'people';

/** Questions that people asked, with the passages of Wikipedia that answer them, by name. */
export function askedCollections(): readonly (readonly [string, Asked])[] {
  const people = peoplesQuestions();
  return [
    [PEOPLE, people],
    [`${PEOPLE}, without titles`, { ...people, pages: people.pages.map(untitled) }],
    ...LANGUAGES.map((language) => [language, paragraphs(language)] as const),
  ];
}

/** Questions about aerodynamics and library science. */
export const foreignQuestions = (): readonly string[] =>
  [...judged('cran').queries, ...judged('cisi').queries].map(({ text }) => text.slice(0, MAX_CHARACTERS));

const urlOf = (index: number): string => `https://docs.example/${index}`;

const untitled = ({ url, content }: Collection['pages'][number]) => page(url, '', plainText(content), 'en');

function peoplesQuestions(): Asked {
  type Line = {
    readonly question: string;
    readonly title: string;
    readonly passage: string;
    readonly answerable: boolean;
    readonly answers: readonly { readonly sentences: readonly string[] }[];
  };
  const lines = readFileSync(join(FOLDER, 'answers.jsonl'), 'utf8').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Line);
  const passages = [...new Map(records.map(({ title, passage }) => [passage, title]))];
  const urls = new Map(passages.map(([passage], i) => [passage, urlOf(i)]));
  return {
    pages: passages.map(([passage, title], i) => page(urlOf(i), title, passage, 'en')),
    questions: records.map(({ question, passage, answerable, answers }) => ({
      text: question,
      ...(answerable && {
        page: urls.get(passage) ?? '',
        sentences: answers.flatMap(({ sentences }) => sentences),
      }),
    })),
  };
}

function paragraphs(language: string): Asked {
  const { pages, questions } = JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as {
    readonly pages: readonly string[];
    readonly questions: readonly { readonly question: string; readonly page: number; readonly answer: string }[];
  };
  return {
    pages: pages.map((text, i) => page(urlOf(i), '', text, language)),
    questions: questions.map(({ question, page: index, answer }) => ({
      text: question,
      page: urlOf(index),
      words: answer,
    })),
  };
}

function page(url: string, title: string, text: string, language: string): Collection['pages'][number] {
  const content = ingestedContent({ url, title, content: text, contentType: 'text', preProcessed: false }, url);
  return { url, content: { ...content, language } };
}
