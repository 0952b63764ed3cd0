import { type Language, language } from './language.ts';
import { useValue } from './value.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Estimates and durations name the largest unit of which there are at least two. */
const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1],
] as const;

/** How numbers and times are written in a language. Times are in seconds since 1970, as in the API. */
export function formatsOf(name: Language) {
  const locale = name === 'de' ? 'de-DE' : 'en-GB';
  const numbers = new Intl.NumberFormat(locale);
  const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const relatives = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    number: (value: number) => numbers.format(value),
    decimal: (value: number) => decimals.format(value),
    /** Of a share from 0 to 1. */
    percent: (share: number) => percents.format(share),
    date: (seconds: number) => days.format(1000 * seconds),
    time: (seconds: number) => times.format(1000 * seconds),
    /** `3 minutes ago`, `in 2 hours`. */
    relative: (seconds: number, now = Date.now() / 1000) => {
      const distance = seconds - now;
      const { unit, seconds: length } = unitFor(Math.abs(distance));
      return relatives.format(Math.round(distance / length), unit);
    },
    /** `45 seconds`, `12 minutes`. */
    duration: (seconds: number) => {
      const { unit, seconds: length } = unitFor(seconds);
      const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
      return format.format(Math.max(seconds > 0 ? 1 : 0, Math.round(seconds / length)));
    },
  };
}

function unitFor(seconds: number) {
  const [unit, length] = UNITS.find(([, size]) => seconds >= 2 * size) ?? (['second', 1] as const);
  return { unit, seconds: length };
}

const FORMATS = { en: formatsOf('en'), de: formatsOf('de') };

export const useFormats = () => FORMATS[useValue(language)];
