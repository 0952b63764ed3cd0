import { fnv1aOfText } from '../fnv1a.ts';
import { type PageContent, plainText } from './page-content.ts';

/*
 * Whether two pages have almost the same text: the share of equal runs of four words (Jaccard index), estimated from 64
 * minimum hashes of eight bits (Broder, "On the resemblance and containment of documents", 1997).
 */

const LANES = 64;
const SHINGLE_WORDS = 4;
/** Shorter texts are alike by nature. */
const FEWEST_WORDS = 25;
/** Later words of a longer text do not count. */
const MOST_WORDS = 50_000;
/** In a script without spaces each letter is a word. */
const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{N}\p{M}]{1,60}/gu;
/** Most are an ASCII word, which is found several times as fast as one of Unicode. */
const PIECES = /[a-z0-9\u0080-\uffff]+/g;
const ASCII_WORD = /^[a-z0-9]{1,60}$/;
/** Odd multipliers and offsets, one of each for a lane: any fixed numbers without a pattern. */
const MULTIPLIERS = Uint32Array.from({ length: LANES }, (_, lane) => fnv1aOfText(`multiplier ${lane}`) | 1);
const OFFSETS = Uint32Array.from({ length: LANES }, (_, lane) => fnv1aOfText(`offset ${lane}`));

/** The share of common runs of words from which two pages are near-duplicates. */
export const NEAR_DUPLICATE = 0.8;

/** 64 bytes as base64; undefined for a short text. */
export function fingerprintOf(content: Pick<PageContent, 'blocks'>): string | undefined {
  const hashes = wordHashes(plainText(content).toLowerCase()).slice(0, MOST_WORDS);
  if (hashes.length < FEWEST_WORDS) return undefined;
  const least = leastHashes(shinglesOf(hashes));
  return Buffer.from(least.map(mixed)).toString('base64');
}

/** Of the words of a text in lower case. */
function wordHashes(text: string): number[] {
  const hashes: number[] = [];
  for (const piece of text.match(PIECES) ?? [])
    if (ASCII_WORD.test(piece)) hashes.push(fnv1aOfText(piece));
    else for (const word of piece.match(WORDS) ?? []) hashes.push(fnv1aOfText(word));
  return hashes;
}

/** A number for each run of words, made of those of its words. */
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

/** The low bits of a least hash of a long text are as good as random; its high bits are all zero. */
const mixed = (hash: number): number => (hash ^ (hash >>> 8) ^ (hash >>> 16)) & 0xff;

export const readFingerprint = (fingerprint: string): Uint8Array => Buffer.from(fingerprint, 'base64');

/** The estimated share of common runs of words, 0 to 1. */
export function similarity(a: Uint8Array, b: Uint8Array): number {
  let equal = 0;
  for (let lane = 0; lane < LANES; lane++) if (a[lane] === b[lane]) equal++;
  return equal / LANES;
}

const BAND_BYTES = 4;
export const BANDS = LANES / BAND_BYTES;

/** If two fingerprints have a similarity of 0.8 or more, they share a band in all but one of 5,000 cases. */
export const bandOf = (fingerprint: Uint8Array, band: number): number =>
  fingerprint.subarray(BAND_BYTES * band, BAND_BYTES * (band + 1)).reduce((bits, byte) => (bits << 8) | byte, 0);
