import { longPattern } from '../../text/long-pattern.ts';
import { isUnspaced } from '../../text/words/count-words.ts';
import { ASKING, type AskedFact } from './asking-words.ts';

/** Longer expressions are looked for first: "năm bao nhiêu" asks for a time, "bao nhiêu" for a number. */
const FACTS: readonly AskedFact[] = ['time', 'number', 'person', 'place'];
const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;
const PATTERNS = new Map(
  Object.entries(ASKING).map(([language, asking]) => {
    const [before, after] = isUnspaced(asking.place) ? ['', ''] : [`(?<!${LETTER})`, `(?!${LETTER})`];
    const patternOf = (words: string) => new RegExp(`${before}(?:${words})${after}`, 'iu');
    const facts = FACTS.map((fact) => [fact, patternOf(asking[fact])] as const);
    return [language, { facts, numerals: patternOf(asking.numerals) }];
  }),
);

/** Returns the kind of fact that a question in this language asks for; undefined for other questions. */
export function askedFact(question: string, language: string): AskedFact | undefined {
  const asked = question
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '');
  return PATTERNS.get(language)?.facts.find(([, pattern]) => pattern.test(asked))?.[0];
}

/** Tells whether a sentence has a fact of this kind that is not in the question; undefined if its form is unclear. */
export function hasFact(fact: AskedFact, sentence: string, question: string, language: string): boolean | undefined {
  if (fact === 'number') return hasCount(sentence, question, language);
  if (fact === 'time') return hasTime(sentence, question, language);
  const known = new Set(question.toLowerCase().match(WORD));
  const names = Array.from(sentence.matchAll(NAME), ([name]) => name.toLowerCase().match(WORD) ?? []);
  if (names.some((words) => words.some((word) => !known.has(word)))) return true;
  return language === 'en' ? OTHER_FORMS[fact].test(sentence) : undefined;
}

const DIGITS = String.raw`\p{Nd}+(?:[.,:]\p{Nd}+)*`;
const NUMBER = new RegExp(DIGITS, 'gu');
/** A number that may be a year. */
const YEAR = /^(?:1[0-9]|20)\p{Nd}{2}$/u;
/** The number of a list item is not an amount. */
const LIST_NUMBER = /^\s*\p{Nd}{1,3}[.)]\s/u;

function hasCount(sentence: string, question: string, language: string): boolean | undefined {
  const counted = sentence.replace(LIST_NUMBER, '');
  const numbers = numbersIn(counted, question);
  if (PATTERNS.get(language)?.numerals.test(counted) || numbers.some((number) => !YEAR.test(number))) return true;
  return numbers.length > 0 ? undefined : false;
}

function hasTime(sentence: string, question: string, language: string): boolean | undefined {
  const numbers = numbersIn(sentence, question);
  if (language !== 'en') return numbers.length > 0 || undefined;
  return MOMENTS.test(sentence) || numbers.some((number) => YEAR.test(number));
}

function numbersIn(sentence: string, question: string): readonly string[] {
  const known = new Set(question.match(NUMBER));
  return (sentence.match(NUMBER) ?? []).filter((number) => !known.has(number));
}

/** Expressions of time other than years. */
const MOMENTS = longPattern(
  String.raw`
    \b(?:when|whenever|while|after|before|during|until|once|if|as soon as|every|each|daily|weekly|monthly|annually
    |century|centuries|decades?|spring|summer|autumn|winter|ago|always|never|by default|automatically|immediately
    |seasons?|episodes?|\p{L}{3,6}day|January|February|March|April|May|June|July|August|September|October|November
    |December|dawn|dusk|noon|midnight|today|now|currently|[ap]\.?m)\b|\b\d{3}s?\b|\d:\s?\d\d`,
  'iu',
);

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** A capitalised word inside a sentence, or two in a row at its beginning. */
const NAME =
  /(?<=[\p{L}\p{N},;:)"\u201c\u2018'(] ?["\u201c\u2018'(]?)(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}]+|\p{Lu}[\p{L}\p{M}]{1,40} \p{Lu}[\p{L}\p{M}]{1,40}/gu;
/** English persons and places that are not names. */
const OTHER_FORMS = {
  person: longPattern(
    String.raw`
      \bby\b|\b\p{L}{3,40}(?:ers|ors|ists|ians|ants|ees)\b
      |\b(?:I|we|you|people|persons?|men|women|teams?|groups?|company|government|administrators?|users?|owners?
      |authors?|members?|king|queen|president|committee|community|roles?|anyone|everyone|nobody|only|public)\b`,
    'u',
  ),
  place: longPattern(
    String.raw`
      \b(?:in|on|at|from|near|under|inside|within|along|between|to|into|around|behind|above|below|across) \p{L}
      |\b(?:here|there|everywhere|north|south|east|west|originat\p{L}+|derive\p{L}*|origins?)\b|[/\\]\w`,
    'iu',
  ),
} as const;
