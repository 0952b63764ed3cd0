/** The bounds keep hostile texts from taking quadratic time. */
const MAIL_ADDRESS = /[^\s@<>()[\],;:"]{1,64}@[^\s@<>()[\],;:"]{1,253}\.[^\s@<>()[\],;:".]{1,63}/g;
/** Nine digits or more in groups, as phone, card and account numbers are written. */
const GROUPED_NUMBER = /\+?\d(?:[ .\-/()]{0,2}\d){8,}/g;
/** Not those behind a letter: `0x80070057` is an error code. */
const LONG_NUMBER = /(?<![\p{L}\d])\d{7,}/gu;

/** Replaces mail addresses, card numbers and other long numbers, which people paste into search boxes. */
export const maskPersonalData = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(MAIL_ADDRESS, '[mail]')
    .replaceAll(GROUPED_NUMBER, '[number]')
    .replaceAll(LONG_NUMBER, '[number]');

/** A query as it is counted and listed. */
export const countedText = (query: string): string => maskPersonalData(query).trim().toLowerCase();
