import { terms } from '../language/terms.ts';
import type { Phrase } from '../ports/page-index.ts';

/** What a query says beside its words; texts as they are typed, without their quotes. */
export type ParsedQuery = {
  /** What is looked for: with the phrases, without the exclusions; empty if there is nothing else. */
  readonly text: string;
  readonly phrases: readonly string[];
  readonly without: readonly string[];
};

/** What the index takes; of more the first ones count. */
const MOST_PHRASES = 8;
const MOST_PHRASE_WORDS = 16;

/** Straight quotes look alike at both ends: a word that touches one from outside tells inches from a phrase. */
const STRAIGHT = '(?<![\\p{L}\\p{N}])["\\uff02](?<straight>[^"\\uff02]*)["\\uff02](?![\\p{L}\\p{N}])';
const CURLY = '[\\u201c\\u201e\\u00ab](?<curly>[^\\u201c-\\u201e\\u00ab\\u00bb]*)[\\u201c\\u201d\\u00bb]';
const CORNERED = '\\u300c(?<corner>[^\\u300c\\u300d]*)\\u300d|\\u300e(?<white>[^\\u300e\\u300f]*)\\u300f';
/** One letter is an option, as in `tar -x`, and so is what begins with two signs. */
const EXCLUDED = '(?<!\\S)-(?<word>[\\p{L}\\p{N}]{2}[^\\s"\\uff02\\u201c-\\u201e\\u00ab\\u00bb\\u300c-\\u300f]*)';
/** Each alternative ends at the next quote or blank, so that it is linear in the query. */
const SYNTAX = new RegExp(`(?<minus>(?<!\\S)-)?(?:${STRAIGHT}|${CURLY}|${CORNERED})|${EXCLUDED}`, 'gu');

/** Reads "words together", -word and -"words together" in quotes of any kind. A quote without its partner is no quote. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[] = [];
  const without: string[] = [];
  let text = '';
  let end = 0;
  for (const { 0: whole, index, groups = {} } of query.matchAll(SYNTAX)) {
    const quoted = groups.straight ?? groups.curly ?? groups.corner ?? groups.white;
    const isExclusion = groups.minus !== undefined || quoted === undefined;
    (isExclusion ? without : phrases).push(quoted ?? groups.word ?? '');
    text += `${query.slice(end, index)} ${isExclusion ? '' : quoted} `;
    end = index + whole.length;
  }
  return { text: (text + query.slice(end)).replace(/\s+/g, ' ').trim(), phrases, without };
}

/** As the index takes them: the words of each phrase as the site's languages stem them, an identifier as a whole. */
export function stemmedPhrases(texts: readonly string[], languages: readonly string[]): readonly Phrase[] {
  const spoken = languages.length > 0 ? languages : [''];
  const phrases = texts.map((text): Phrase => {
    const stemmed = spoken.map((language) => wholeTerms(text, language));
    const [first = []] = stemmed;
    return first.map((_, place) => [...new Set(stemmed.flatMap((words) => words[place] ?? []))]);
  });
  return phrases.filter((phrase) => phrase.length > 0).slice(0, MOST_PHRASES);
}

/** Whether a word is dropped does not depend on the language, so that places agree. */
function wholeTerms(text: string, language: string): readonly string[] {
  const found = terms(text, language);
  const wholes = found.filter(({ position }, at) => found[at - 1]?.position !== position);
  return wholes.slice(0, MOST_PHRASE_WORDS).map(({ term }) => term);
}
