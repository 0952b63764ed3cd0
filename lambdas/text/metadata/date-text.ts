/** Month names in common languages, without accents. Any prefix of at least three letters is an abbreviation. */
const MONTH_NAMES: readonly string[] = [
  'january januar janvier enero gennaio janeiro januari',
  'february februar fevrier febrero febbraio fevereiro februari',
  'march marz mars marzo marco maart mrt',
  'april avril abril aprile',
  'may mai mayo maggio maio mei maj',
  'june juni juin junio giugno junho',
  'july juli juillet julio luglio julho',
  'august aout agosto augustus',
  'september septembre septiembre settembre setembro',
  'october oktober octobre octubre ottobre outubro',
  'november novembre noviembre novembro',
  'december dezember decembre diciembre dicembre dezembro',
];
const MONTHS = new Map(MONTH_NAMES.flatMap((names, i) => names.split(' ').flatMap((name) => prefixes(name, i + 1))));

/** Checked first, because every pattern needs a year and most texts have none. */
const YEAR = /\d{4}/;
const TIME = /(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?/;
const ISO = new RegExp(String.raw`(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]{1,2}${TIME.source})?(?!\d)`, 'i');
const DAY_FIRST = new RegExp(
  String.raw`(?:^|[ ,(])(\d{1,2})(?:st|nd|rd|th|er|\.|º)? ?(?:de |of )?` +
    String.raw`([a-z\u00c0-\u024f]{3,10})\.?,? ?(?:de |del )?(\d{4})(?!\d)`,
);
const MONTH_FIRST = /(?:^|[ ,(])([a-z\u00c0-\u024f]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/;
const EAST_ASIAN = /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/;
const DOTTED = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d.])/;
const MAX_LENGTH = 80;
const MIN_LENGTH = '1.1.2021'.length;

/** Returns the first date in a text as ISO 8601. It has a time only if the text gives an offset. */
export function parseDate(text: string): string | undefined {
  const value = text.trim().slice(0, MAX_LENGTH);
  if (value.length < MIN_LENGTH || !YEAR.test(value)) return undefined;
  const iso = ISO.exec(value);
  if (iso !== null) return fromIso(iso);
  // Case-insensitive matching of non-ASCII letters is slow.
  const lower = value.toLowerCase();
  const dayFirst = DAY_FIRST.exec(lower);
  if (dayFirst !== null) return calendarDate(dayFirst[3], monthNumber(dayFirst[2]), dayFirst[1]);
  const monthFirst = MONTH_FIRST.exec(lower);
  if (monthFirst !== null) return calendarDate(monthFirst[3], monthNumber(monthFirst[1]), monthFirst[2]);
  const eastAsian = EAST_ASIAN.exec(value);
  if (eastAsian !== null) return calendarDate(eastAsian[1], Number(eastAsian[2]), eastAsian[3]);
  const dotted = DOTTED.exec(value);
  return dotted === null ? undefined : calendarDate(dotted[3], Number(dotted[2]), dotted[1]);
}

/** Returns `YYYY-MM-DD` for an existing day from 1990 to 2099. */
export function calendarDate(year = '', month: number, day = ''): string | undefined {
  const date = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  const isReal = month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  return isReal && Number(year) >= 1990 && Number(year) < 2100 ? date.toISOString().slice(0, 10) : undefined;
}

function fromIso(match: RegExpExecArray): string | undefined {
  const [, year, month, day, hour, minute, second = '00', offset] = match;
  const date = calendarDate(year, Number(month), day);
  if (date === undefined || hour === undefined || minute === undefined || offset === undefined) return date;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return date;
  const zone = /^[+-]/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(-2)}` : 'Z';
  return `${date}T${hour}:${minute}:${second}${zone}`;
}

function monthNumber(name = ''): number {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return MONTHS.get(plain) ?? 0;
}

/** Returns a month's name and its prefixes, without `jui`, which could be June or July in French. */
function prefixes(name: string, month: number): readonly (readonly [string, number])[] {
  const shortest = name.startsWith('jui') ? 4 : 3;
  return Array.from({ length: name.length - shortest + 1 }, (_, i) => [name.slice(0, shortest + i), month] as const);
}
