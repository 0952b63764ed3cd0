import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { englishStem } from './english-stem.ts';
import { fold } from './folding.ts';

type Stem = (word: string) => string;

/** The package's English stemmer is not used: it stems "connection" to "connec". */
const STEMMERS: ReadonlyMap<string, Stem> = new Map<string, Stem>([
  ['en', (word) => englishStem(fold(word))],
  ['ar', arabic],
  ['bg', bulgarian],
  ['da', danish],
  ['de', german],
  ['el', greek],
  ['es', (word) => spanish(word.replace(/(?<=[cs])ion$/, 'ión'))], // often typed without the accent
  ['fi', finnish],
  ['fr', french],
  ['hu', hungarian],
  ['id', indonesian],
  ['it', italian],
  ['nb', norwegian],
  ['nl', dutch],
  ['nn', norwegian],
  ['no', norwegian],
  ['pt', (word) => portuguese(word.replace(/cao$/, 'ção').replace(/coes$/, 'ções'))],
  ['ro', romanian],
  ['ru', russian],
  ['sv', swedish],
  ['tr', turkish],
  ['uk', ukrainian],
]);

export const STEMMED_LANGUAGES: readonly string[] = [...STEMMERS.keys()];

const WORD = /^[\p{L}\p{M}]+$/u;
const CACHED_WORDS = 20_000;
const caches = new Map<string, Map<string, string>>();

/** 'en' for 'en-GB', in lower case; '' for anything that is not a language tag. */
export function primaryLanguage(tag: string): string {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(tag.slice(0, 4).toLowerCase())?.[0] ?? '';
}

/** '' without a stemmer for the language. */
export function stemmedLanguage(tag: string): string {
  const primary = primaryLanguage(tag);
  return STEMMERS.has(primary) ? primary : '';
}

/** Indonesian has prefixes; Finnish and Turkish change the second letter of some stems. */
const KEPT_LETTERS: Readonly<Record<string, 0 | 1>> = { id: 0, fi: 1, tr: 1 };

/** How many first letters an ASCII word shares with its stem; a second letter "y" may become "i". */
export const lettersKept = (language: string): 0 | 1 | 2 => KEPT_LETTERS[language] ?? 2;

/** A word with a digit or sign, or in a language without a stemmer, is only folded. */
export function stem(word: string, language: string): string {
  const stemmer = WORD.test(word) ? STEMMERS.get(language) : undefined;
  if (!stemmer) return fold(word);
  const cache = cacheOf(language);
  const known = cache.get(word);
  if (known !== undefined) return known;
  const stemmed = fold(stemmer(word)) || fold(word);
  if (cache.size >= CACHED_WORDS) cache.clear();
  cache.set(word, stemmed);
  return stemmed;
}

function cacheOf(language: string): Map<string, string> {
  const cache = caches.get(language);
  if (cache) return cache;
  const made = new Map<string, string>();
  caches.set(language, made);
  return made;
}
