import { createRequire } from 'node:module';
import { englishStem } from './english-stem.ts';
import { fold } from './folding.ts';

type Stem = (word: string) => string;

/** The package's stemmer of each language. Its English one is not used: it stems "connection" to "connec". */
const NAMES = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  id: 'indonesian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
  uk: 'ukrainian',
} as const;

const isNamed = (language: string): language is keyof typeof NAMES => Object.hasOwn(NAMES, language);

/**
 * Normalises umlauts typed without a German keyboard ("Gebuehr") and plurals that the stemmer misses: "Autos",
 * "Handys", "Lehrerinnen", and "Museen" and "Konten", which must match "Museum" and "Konto".
 */
const germanWord = (word: string): string =>
  word
    .replace(/ae/g, 'ä')
    .replace(/oe/g, 'ö')
    .replace(/(?<![aeiouyäöüq])ue/g, 'ü')
    .replace(/(?<=er|[dt]|l[eo]g)innen$/, 'in')
    .replace(/(?<=[^l]o|y|\p{L}{2}um)s$/u, '')
    .replace(/(?<=\p{L}{3}[^at])um$|(?<=\p{L}{4})[ao]$/u, 'en');

/**
 * Changes words before stemming. Some stemmers need accents to recognise an ending, but people often omit accents, and
 * words are kept without them.
 */
const PREPARED: Readonly<Record<string, Stem>> = {
  de: germanWord,
  es: (word) =>
    word.replace(/(?<=[cs])ion$/, 'ión').replace(/(?<=\p{L}{2}(?:er|[fgmñ])|[gy]or|garant|compan)ia(?=s?$)/u, 'ía'),
  fr: (word) =>
    word
      .replace(/(?<=\p{L}{2})ee(?=s?$)/u, 'ée')
      .replace(/(?<=\p{L}{2})iere(?=s?$|ment$)/u, 'ière')
      .replace(/(?<=\p{L}{3})ite(?=s?$)/u, 'ité')
      .replace(/^(acc|exc|proc|succ|apr|aupr|congr|pr|progr|tr)es$/, '$1ès'),
  it: (word) => word.replace(/(?<=[aiou]l|bil|ar|or|ur|er|ic|oc|iv|ent|ant|os|an|un)ita$/, 'ità'),
  pt: (word) =>
    word
      .replace(/cao$/, 'ção')
      .replace(/coes$/, 'ções')
      .replace(/(?<=\p{L}{2})([ai])ve(l|is)$/u, (_, vowel, end) => `${vowel === 'a' ? 'á' : 'í'}ve${end}`)
      .replace(/(?<=\p{L}{2})([ae])nci(as?)$/u, (_, vowel, end) => `${vowel === 'a' ? 'â' : 'ê'}nci${end}`)
      .replace(/(?<=\p{L}{2})[aá]ria(?=s?$)/u, 'ário')
      .replace(/uid(?=[ao]s?$)/, 'uíd'),
};

/** Loads a module of the stemmer package, which is also copied next to the bundled code (lib/bundle.ts). */
const load = createRequire(import.meta.url);
const loaded = new Map<string, Stem>([['en', (word) => englishStem(fold(word))]]);

/** Loads a stemmer when its language is first used: all stemmers together are as large as the rest of a search. */
function stemmerOf(language: string): Stem | undefined {
  const known = loaded.get(language);
  if (known || !isNamed(language)) return known;
  const { stemmer } = load(`@orama/stemmers/${NAMES[language]}`) as { readonly stemmer: Stem };
  const prepared = PREPARED[language];
  const stem: Stem = prepared ? (word) => stemmer(prepared(word)) : stemmer;
  loaded.set(language, stem);
  return stem;
}

const WORD = /^[\p{L}\p{M}]+$/u;
/** A stem of one letter is ambiguous: the Turkish stemmer reduces both "dime" and "time" to "t". */
const MIN_STEM_LETTERS = 2;

/** Returns 'en' for 'en-GB', in lower case; '' for anything that is not a language tag. */
export function primaryLanguage(tag: string): string {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(tag.slice(0, 4).toLowerCase())?.[0] ?? '';
}

/** Returns the primary language if it has a stemmer, else ''. */
export function stemmedLanguage(tag: string): string {
  const primary = primaryLanguage(tag);
  return primary === 'en' || isNamed(primary) ? primary : '';
}

/**
 * Languages whose stems may share fewer than two letters with the word. Indonesian has prefixes; Finnish and Turkish
 * change the second letter of some stems, and so does a German "oe".
 */
const KEPT_LETTERS: Readonly<Record<string, 0 | 1>> = { id: 0, de: 1, fi: 1, tr: 1 };

/** Returns how many first letters an ASCII word shares with its stem; a second letter "y" may become "i". */
export const lettersKept = (language: string): 0 | 1 | 2 => KEPT_LETTERS[language] ?? 2;

/** Returns the stem of a word. A word with a digit or sign, or in a language without a stemmer, is only folded. */
export function stem(word: string, language: string): string {
  const stemmer = WORD.test(word) ? stemmerOf(language) : undefined;
  if (!stemmer) return fold(word);
  const found = fold(stemmer(word));
  return found.length < MIN_STEM_LETTERS ? fold(word) : found;
}
