/** Scripts in which words are often written without accents or vowel points. Indic vowel signs stay. */
const SCRIPTS_OF_OPTIONAL_MARKS = ['Inherited', 'Latin', 'Greek', 'Cyrillic', 'Hebrew', 'Arabic'];
const OPTIONAL_MARK = `[\\p{Mn}&&[${SCRIPTS_OF_OPTIONAL_MARKS.map((script) => `\\p{scx=${script}}`).join('')}]]`;
/** The breve of й stays. */
const OPTIONAL_MARKS = new RegExp(`(?<!\\u0438)\\u0306|(?!\\u0306)${OPTIONAL_MARK}`, 'gv');
const PLAIN = /^[ -~]*$/;
const WITHOUT_DECOMPOSITION = /[ßøæœłđıþðħς]/g;
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
  ς: 'σ',
};
const INVISIBLE = /[\s\p{Cf}]+/gu;
const APOSTROPHE = /['\u2019]/g;
/** Characters of a word that are read. Normalising many marks on one letter takes quadratic time. */
const MAX_RAW_LENGTH = 256;
const LONGEST = 64;

/**
 * Returns a word in lower case and compatibility form (NFKC), with accents, without a possessive 's; at most 64
 * characters.
 */
export function normalWord(raw: string): string {
  const start = raw.length > MAX_RAW_LENGTH ? cut(raw, MAX_RAW_LENGTH) : raw;
  const word = PLAIN.test(start) ? start.toLowerCase() : start.normalize('NFKC').toLowerCase().replace(INVISIBLE, '');
  return cut(word.replace(/['\u2019]s$/, '').replace(APOSTROPHE, ''), LONGEST);
}

/** Returns a normal word without accents, so that it is found with and without them. й stays a separate letter. */
export function fold(word: string): string {
  if (PLAIN.test(word)) return word;
  const bare = word.normalize('NFKD').replace(OPTIONAL_MARKS, '').normalize('NFC');
  return cut(
    bare.replace(WITHOUT_DECOMPOSITION, (letter) => SPELLINGS[letter] ?? letter).replace(INVISIBLE, ''),
    LONGEST,
  );
}

/** Returns the first `length` characters of a text, never half a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
