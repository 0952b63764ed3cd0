import { longPattern } from '../../text/long-pattern.ts';

/**
 * Matches mail addresses, also in URLs (`%40`) and in full width. Neither side contains a separator and no label
 * contains a dot, so there is one way to match a text and the time is linear.
 */
const MAIL_ADDRESS = longPattern(
  String.raw`
    (?:(?!%40)[^\s@\uff20<>()[\],;:"?&=/]){1,64}
    (?:[@\uff20]|%40)
    (?:(?:(?!%40)[^\s@\uff20<>()[\],;:".?&=/]){1,63}\.){1,8}
    (?:(?!%40)[^\s@\uff20<>()[\],;:".?&=/]){1,63}`,
  'gi',
);
/** Matches nine digits or more in groups, as in phone, card and account numbers. */
const GROUPED_NUMBER = /\+?\p{Nd}(?:[ .\-/()]{0,2}\p{Nd}){8,}/gu;
/** Matches seven digits or more, unless a letter precedes them: `0x80070057` is an error code. */
const LONG_NUMBER = /(?<![\p{L}\p{Nd}])\p{Nd}{7,}/gu;

/** Replaces mail addresses, card numbers and other long numbers, which people paste into search boxes. */
export const maskPersonalData = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(MAIL_ADDRESS, '[mail]')
    .replaceAll(GROUPED_NUMBER, '[number]')
    .replaceAll(LONG_NUMBER, '[number]');

/** Maximum characters of a counted query. Each is stored five times, so long ones would let one visitor fill a disk. */
const MAX_COUNTED = 300;

/** Returns a query as it is counted and listed: masked, in lower case, cut to `MAX_COUNTED` characters. */
export const countedText = (query: string): string =>
  [...maskPersonalData(query).trim().toLowerCase()].slice(0, MAX_COUNTED).join('').trimEnd();
