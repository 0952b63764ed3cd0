import { type PageContent, plainText } from './page-content.ts';
import { FNV_OFFSET, fnv1aOfText, fnvStep } from './words/fnv1a.ts';

/**
 * Detects pages with almost the same text: the share of equal runs of four words (Jaccard index), estimated from 64
 * minimum hashes of eight bits (Broder, "On the resemblance and containment of documents", 1997).
 */

const LANES = 64;
const SHINGLE_WORDS = 4;
/** Minimum number of words. Shorter texts resemble each other by chance. */
const MIN_WORDS = 25;
/** Maximum number of words that are read. */
const MAX_WORDS = 50_000;
/** Words. In a script without spaces, each letter is a word. */
const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{N}\p{M}]{1,60}/gu;
const MAX_WORD_LENGTH = 60;
const ASCII = 128;
/** For each ASCII code: 1 if the character is part of words. */
const IN_WORDS = Uint8Array.from({ length: ASCII }, (_, code) => (/[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0));

/** Odd multipliers and offsets, one of each for a lane. Any fixed numbers without a pattern will do. */
const MULTIPLIERS = Uint32Array.from({ length: LANES }, (_, lane) => fnv1aOfText(`multiplier ${lane}`) | 1);
const OFFSETS = Uint32Array.from({ length: LANES }, (_, lane) => fnv1aOfText(`offset ${lane}`));

/** Minimum share of common runs of words that makes two pages near-duplicates. */
export const NEAR_DUPLICATE = 0.8;

/** Returns the fingerprint of a page: 64 bytes as base64; undefined for a short text. */
export function fingerprintOf(content: Pick<PageContent, 'blocks'>): string | undefined {
  const hashes = wordHashes(plainText(content).toLowerCase()).slice(0, MAX_WORDS);
  if (hashes.length < MIN_WORDS) return undefined;
  const least = leastHashes(shinglesOf(hashes));
  return Buffer.from(least.map(mixed)).toString('base64');
}

/** Hashes the words of a lower-case text. Nearly all are ASCII and skip the pattern. */
function wordHashes(text: string): number[] {
  const hashes: number[] = [];
  let start = 0;
  let hash = FNV_OFFSET;
  let highest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ASCII || IN_WORDS[code] === 1) {
      hash = fnvStep(hash, code);
      highest |= code;
      continue;
    }
    if (highest !== 0) pushWords(text, start, at, highest < ASCII ? hash : undefined, hashes);
    start = at + 1;
    hash = FNV_OFFSET;
    highest = 0;
  }
  if (highest !== 0) pushWords(text, start, text.length, highest < ASCII ? hash : undefined, hashes);
  return hashes;
}

/** Adds the hashes of a run of word characters. `hash` is the run's own hash if it is ASCII. */
function pushWords(text: string, start: number, end: number, hash: number | undefined, hashes: number[]): void {
  if (hash !== undefined && end - start <= MAX_WORD_LENGTH) hashes.push(hash);
  else for (const word of text.slice(start, end).match(WORDS) ?? []) hashes.push(fnv1aOfText(word));
}

/** Combines the hashes of each run of four words into one number. */
function shinglesOf(words: readonly number[]): Uint32Array {
  const shingles = new Uint32Array(words.length - SHINGLE_WORDS + 1);
  for (let first = 0; first < shingles.length; first++) {
    let shingle = 0;
    for (let i = first; i < first + SHINGLE_WORDS; i++) shingle = Math.imul(shingle, 31) + (words[i] as number);
    shingles[first] = shingle;
  }
  return shingles;
}

function leastHashes(shingles: Uint32Array): Uint32Array {
  const least = new Uint32Array(LANES);
  for (let lane = 0; lane < LANES; lane++) {
    const multiplier = MULTIPLIERS[lane] as number;
    const offset = OFFSETS[lane] as number;
    let lowest = 0xffff_ffff;
    for (let i = 0; i < shingles.length; i++) {
      const hash = (Math.imul(shingles[i] as number, multiplier) + offset) >>> 0;
      if (hash < lowest) lowest = hash;
    }
    least[lane] = lowest;
  }
  return least;
}

/**
 * Folds a minimum hash to eight bits. The minimum of many hashes has only zeros in its high bits, but random low bits.
 */
const mixed = (hash: number): number => (hash ^ (hash >>> 8) ^ (hash >>> 16)) & 0xff;

export const readFingerprint = (fingerprint: string): Uint8Array => Buffer.from(fingerprint, 'base64');

/** Returns the estimated share of common runs of words, 0 to 1. */
export function similarity(a: Uint8Array, b: Uint8Array): number {
  let equal = 0;
  for (let lane = 0; lane < LANES; lane++) if (a[lane] === b[lane]) equal++;
  return equal / LANES;
}

const BAND_BYTES = 4;
export const BANDS = LANES / BAND_BYTES;

/**
 * Returns one band of a fingerprint. Fingerprints with a similarity of 0.8 or more share no band in 1 of 5,000 cases.
 */
export const bandOf = (fingerprint: Uint8Array, band: number): number =>
  fingerprint.subarray(BAND_BYTES * band, BAND_BYTES * (band + 1)).reduce((bits, byte) => (bits << 8) | byte, 0);
