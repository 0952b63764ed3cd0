/** Maps each number in a text to its units. The unit is '' for a number without a known unit. */
export type Quantities = ReadonlyMap<string, ReadonlySet<string>>;

/** Words for each unit, in several languages. */
const UNITS: Readonly<Record<string, string>> = {
  eur: '\u20ac|euros?|eur',
  usd: '\\$|dollars?|d\u00f3lares|usd',
  gbp: '\u00a3|pounds?|gbp',
  chf: 'francs?|franken|franchi|chf',
  percent: '%|percent|per cent|prozent|pour cent|por ciento|per cento|procent|por cento',
  second: 'seconds?|sekunden?|segundos?|secondes?|secondi|seconden',
  minute: 'minutes?|minuten?|minutos?|minuti',
  hour: 'hours?|stunden?|horas?|heures?|ore|uur',
  day: 'days?|tage?n?|d[i\u00ed]as?|jours?|giorni|dagen',
  week: 'weeks?|wochen?|semanas?|semaines?|settimane|weken',
  month: 'months?|monate?n?|mes(?:es)?|mois|mesi|maanden|m\u00eas',
  year: 'years?|jahre?n?|a\u00f1os?|ans?|anni|jaar|anos?',
  thousand: 'k|thousand|tausend|mil|mille|mila|duizend',
  million: 'millions?|millionen|millones|milioni|miljoen|milh\u00f5es',
  billion: 'billions?|milliarden?|milliards?|miliardi|miljard',
};
const NAMED = Object.entries(UNITS).map(([name, words]) => `(?<${name}>${words})`);
const UNIT = new RegExp(`^(?:${NAMED.join('|')})$`, 'iu');
const WORDS = Object.values(UNITS).join('|');
const NUMBER = String.raw`\p{Nd}+(?:[.,:]\p{Nd}+)*`;
/** `€40`, `40 euros`, `14-day`, `40 euros a month`, `12 EUR/month`. */
const QUANTITY = new RegExp(
  String.raw`(?<sign>[\u20ac$\u00a3])?\s?(?<number>${NUMBER})` +
    String.raw`(?:[\s-]?(?<unit>${WORDS})(?![\p{L}\p{N}]))?` +
    String.raw`(?:\s?(?:/|(?:an?|per|each|every|pro|im|par|al|por)\s)\s?(?<rate>${WORDS})(?![\p{L}\p{N}]))?`,
  'giu',
);
type IsCounted = (value: number, after: string) => boolean;
const MAX_LISTED = 4;
const UNIT_NEXT = new RegExp(String.raw`^[\s-](?:${WORDS})(?![\p{L}\p{N}])`, 'iu');

/** Digits of other scripts and forms. */
const OTHER_DIGIT = /(?![0-9])[\p{Nd}\p{No}]/gu;

const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
const NUMERALS = [...SMALL.split(' '), 'seventeen', 'eighteen', 'nineteen'];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const [SOME_TEN, SOME_UNIT] = [TENS.slice(2).join('|'), NUMERALS.slice(1, 10).join('|')];
const NUMERAL = new RegExp(String.raw`\b(?:(${SOME_TEN})(?:[\s-](${SOME_UNIT}))?|(${NUMERALS.join('|')}))\b`, 'gi');

/** Returns the quantities in a text. `isCounted` selects the English numerals that count; by default "ten" is 10. */
export function quantitiesOf(text: string, language: string, isCounted: IsCounted = () => true): Quantities {
  const digits = text.replace(OTHER_DIGIT, (digit) => digit.normalize('NFKC'));
  const found = new Map<string, Set<string>>();
  for (const { groups = {} } of (language === 'en' ? inDigits(digits, isCounted) : digits).matchAll(QUANTITY)) {
    const { sign, number = '', unit, rate } = groups;
    // Without grouping: 1,000 is 1000.
    const plain = number.replace(/,(?=\d{3}\b)/g, '');
    const [base, per] = [nameOf(unit ?? sign), nameOf(rate)];
    found.set(plain, (found.get(plain) ?? new Set()).add(per === '' ? base : `${base}/${per}`));
  }
  return found;
}

/**
 * Returns the quantities that a sentence states. English numerals up to four count only before a unit: "one" is often
 * not a number, and "two ways" may only count the items that a passage lists.
 */
export const statedQuantities = (sentence: string, language: string): Quantities =>
  quantitiesOf(sentence, language, (value, after) => value > MAX_LISTED || UNIT_NEXT.test(after));

/** Tells whether the known quantities include each stated one, in a unit that agrees. */
export function hasQuantities(known: Quantities, stated: Quantities): boolean {
  return [...stated].every(([number, units]) => {
    const others = [...(known.get(number) ?? [])];
    return [...units].every((unit) => others.some((other) => agree(unit, other)));
  });
}

export const merged = (a: Quantities, b: Quantities): Quantities =>
  new Map(
    [...a.keys(), ...b.keys()].map((number) => [number, new Set([...(a.get(number) ?? []), ...(b.get(number) ?? [])])]),
  );

/** Compares two units. `eur` and `eur/month` agree: the month may be in a heading. */
function agree(a: string, b: string): boolean {
  const [[unit, per], [otherUnit, otherPer]] = [a.split('/'), b.split('/')];
  const same = (one = '', other = ''): boolean => one === '' || other === '' || one === other;
  return same(unit, otherUnit) && same(per, otherPer);
}

const inDigits = (text: string, isCounted: IsCounted): string =>
  text.replace(NUMERAL, (words: string, tens: string, unit: string, small: string, at: number) => {
    const value = tens ? 10 * indexIn(TENS, tens) + indexIn(NUMERALS, unit ?? 'zero') : indexIn(NUMERALS, small);
    return isCounted(value, text.slice(at + words.length)) ? String(value) : words;
  });

const indexIn = (words: readonly string[], word: string): number => words.indexOf(word.toLowerCase());

const nameOf = (unit: string | undefined): string =>
  Object.entries(UNIT.exec(unit ?? '')?.groups ?? {}).find(([, matched]) => matched !== undefined)?.[0] ?? '';
