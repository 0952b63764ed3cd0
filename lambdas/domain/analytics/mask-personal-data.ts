import { longPattern } from '../../text/long-pattern.ts';

/**
 * Matches addresses in URLs (`%40`) and in full width too. Neither side contains a separator, and no label a dot, so that
 * a text can be divided in one way only: the time is linear.
 */
const MAIL_ADDRESS = longPattern(
  String.raw`
    (?:(?!%40)[^\s@\uff20<>()[\],;:"?&=/]){1,64}
    (?:[@\uff20]|%40)
    (?:(?:(?!%40)[^\s@\uff20<>()[\],;:".?&=/]){1,63}\.){1,8}
    (?:(?!%40)[^\s@\uff20<>()[\],;:".?&=/]){1,63}`,
  'gi',
);
/** Nine digits or more in groups, as phone, card and account numbers are written. */
const GROUPED_NUMBER = /\+?\p{Nd}(?:[ .\-/()]{0,2}\p{Nd}){8,}/gu;
/** Not those behind a letter: `0x80070057` is an error code. */
const LONG_NUMBER = /(?<![\p{L}\p{Nd}])\p{Nd}{7,}/gu;

/** Replaces mail addresses, card numbers and other long numbers, which people paste into search boxes. */
export const maskPersonalData = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(MAIL_ADDRESS, '[mail]')
    .replaceAll(GROUPED_NUMBER, '[number]')
    .replaceAll(LONG_NUMBER, '[number]');

/** Characters of a counted query. Whole ones would let one visitor fill a disk: each is stored five times. */
const LONGEST_COUNTED = 300;

/** A query as it is counted and listed: masked, in lower case, and cut if it is long. */
export const countedText = (query: string): string =>
  [...maskPersonalData(query).trim().toLowerCase()].slice(0, LONGEST_COUNTED).join('').trimEnd();
