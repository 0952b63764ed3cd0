import { terms } from '../../../text/words/terms.ts';
import type { Phrase } from '../../ports/index-reader.ts';

/** A query split by its syntax; texts as typed, without their quotes. */
export type ParsedQuery = {
  /** The words to search, with the phrases and without the exclusions; may be empty. */
  readonly text: string;
  /** The same words without the phrases. */
  readonly beside: string;
  readonly phrases: readonly string[];
  readonly without: readonly string[];
};

/** Limits of the index. Further phrases and words are ignored. */
const MAX_PHRASES = 8;
const MAX_PHRASE_WORDS = 16;

/** A straight quote that touches a word from outside means inches. */
const STRAIGHT = '(?<![\\p{L}\\p{N}])["\\uff02](?<straight>[^"\\uff02]*)["\\uff02](?![\\p{L}\\p{N}])';
const CURLY = '[\\u201c\\u201e\\u00ab](?<curly>[^\\u201c-\\u201e\\u00ab\\u00bb]*)[\\u201c\\u201d\\u00bb]';
const CORNERED = '\\u300c(?<corner>[^\\u300c\\u300d]*)\\u300d|\\u300e(?<white>[^\\u300e\\u300f]*)\\u300f';
/** An excluded word. Command-line options are not exclusions: one letter, as in `tar -x`, or two dashes. */
const EXCLUDED = '(?<!\\S)-(?<word>[\\p{L}\\p{N}]{2}[^\\s"\\uff02\\u201c-\\u201e\\u00ab\\u00bb\\u300c-\\u300f]*)';
/** Each alternative ends at the next quote or blank, so matching is linear in the query. */
const SYNTAX = new RegExp(`(?<minus>(?<!\\S)-)?(?:${STRAIGHT}|${CURLY}|${CORNERED})|${EXCLUDED}`, 'gu');

/** Parses "a phrase", -word and -"a phrase" with quotes of any kind. An unpaired quote is ignored. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[] = [];
  const without: string[] = [];
  let text = '';
  let beside = '';
  let end = 0;
  for (const { 0: whole, index, groups = {} } of query.matchAll(SYNTAX)) {
    const quoted = groups.straight ?? groups.curly ?? groups.corner ?? groups.white;
    const isExclusion = groups.minus !== undefined || quoted === undefined;
    (isExclusion ? without : phrases).push(quoted ?? groups.word ?? '');
    text += `${query.slice(end, index)} ${isExclusion ? '' : quoted} `;
    beside += `${query.slice(end, index)} `;
    end = index + whole.length;
  }
  const rest = query.slice(end);
  return { text: tidied(text + rest), beside: tidied(beside + rest), phrases, without };
}

const tidied = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns phrases for the index: each word stemmed in every language of the site, an identifier only as a whole. */
export function stemmedPhrases(texts: readonly string[], languages: readonly string[]): readonly Phrase[] {
  const siteLanguages = languages.length > 0 ? languages : [''];
  const phrases = texts.map((text): Phrase => {
    const stemmed = siteLanguages.map((language) => wholeTerms(text, language));
    const [first = []] = stemmed;
    return first.map((_, i) => [...new Set(stemmed.flatMap((words) => words[i] ?? []))]);
  });
  return phrases.filter((phrase) => phrase.length > 0).slice(0, MAX_PHRASES);
}

/** Every language drops the same words, so the lists of all languages are parallel. */
function wholeTerms(text: string, language: string): readonly string[] {
  const found = terms(text, language);
  const wholes = found.filter(({ position }, i) => found[i - 1]?.position !== position);
  return wholes.slice(0, MAX_PHRASE_WORDS).map(({ term }) => term);
}
