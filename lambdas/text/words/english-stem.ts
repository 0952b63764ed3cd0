/**
 * Implements "The English (Porter2) stemming algorithm" by Martin Porter, snowballstem.org. The package of the other
 * stemmers has an older version (docs/decisions/001-dependencies.md).
 */

const VOWEL = '[aeiouy]';
const CONSONANT = '[^aeiouy]';
const HAS_VOWEL = new RegExp(VOWEL);
/** A short syllable at the end of a word. Y marks a y that counts as a consonant. */
const SHORT_END = new RegExp(`(?:^${VOWEL}${CONSONANT}|${CONSONANT}${VOWEL}[^aeiouywxY])$`);
const REGION = new RegExp(`${VOWEL}${CONSONANT}`);
const LONG_PREFIX = /^(?:gener|commun|arsen|inter|univers|later|emerg|organ)/;

const EXCEPTIONS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
  }).concat(['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word])),
);
const KEPT_AFTER_PLURAL = /^(?:inning|outing|canning|herring|earring|evening|proceed|exceed|succeed)$/;

type Rules = readonly (readonly [suffix: string, replacement: string])[];

/** Longer suffixes come first, because the first match decides. */
const DERIVATIONS: Rules = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogist', 'og'],
];
const ADJECTIVES: Rules = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const ENDINGS = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/;

/** Returns the stem of an English word in lower-case ASCII letters. Other input may lose an ending. */
export function englishStem(word: string): string {
  if (word.length <= 2) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  const marked = word.replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const first = regionAfter(marked, 0, LONG_PREFIX);
  const second = regionAfter(marked, first);
  const singular = withoutPlural(marked);
  if (KEPT_AFTER_PLURAL.test(singular)) return singular;
  let stem = withoutInflection(singular, first).replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  stem = withoutDerivation(stem, first);
  stem = withoutAdjective(stem, first, second);
  stem = withoutEnding(stem, second);
  return withoutLast(stem, first, second).toLowerCase();
}

/** Returns the start of Porter2's region R1 or R2: after the first consonant that follows a vowel. */
function regionAfter(word: string, from: number, prefix?: RegExp): number {
  const known = prefix?.exec(word);
  if (known) return known[0].length;
  const found = word.slice(from).search(REGION);
  return found < 0 ? word.length : from + found + 2;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  const plural = word.endsWith('s') && !/[us]s$/.test(word) && HAS_VOWEL.test(word.slice(0, -2));
  return plural ? word.slice(0, -1) : word;
}

function withoutInflection(word: string, first: number): string {
  const agreed = /eed(?:ly)?$/.exec(word);
  if (agreed) return agreed.index >= first ? word.slice(0, agreed.index + 2) : word;
  const found = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (!found || !HAS_VOWEL.test(word.slice(0, found.index))) return word;
  const stem = word.slice(0, found.index);
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/^[aeo](?:dd|gg|ff)$/.test(stem)) return stem;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1);
  return stem.length <= first && SHORT_END.test(stem) ? `${stem}e` : stem;
}

/** Replaces the first matching suffix if it is in the region. Returns undefined if no suffix matches. */
function replaced(word: string, rules: Rules, region: number): string | undefined {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return undefined;
  const at = word.length - rule[0].length;
  return at >= region ? word.slice(0, at) + rule[1] : word;
}

function withoutDerivation(word: string, first: number): string {
  const stem = replaced(word, DERIVATIONS, first);
  if (stem !== undefined) return stem;
  if (word.endsWith('logi')) return word.length - 3 >= first ? word.slice(0, -1) : word;
  return /[cdeghkmnrt]li$/.test(word) && word.length - 2 >= first ? word.slice(0, -2) : word;
}

function withoutAdjective(word: string, first: number, second: number): string {
  if (word.endsWith('ative')) return word.length - 5 >= second ? word.slice(0, -5) : word;
  return replaced(word, ADJECTIVES, first) ?? word;
}

function withoutEnding(word: string, second: number): string {
  const found = ENDINGS.exec(word) ?? /(?<=[st])ion$/.exec(word);
  return found && found.index >= second ? word.slice(0, found.index) : word;
}

function withoutLast(word: string, first: number, second: number): string {
  const last = word.length - 1;
  if (word.endsWith('e')) {
    const drops = last >= second || (last >= first && !SHORT_END.test(word.slice(0, last)));
    return drops ? word.slice(0, last) : word;
  }
  return word.endsWith('ll') && last >= second ? word.slice(0, last) : word;
}
