import { FNV_OFFSET, fnv1a, fnvStep } from './fnv1a.ts';
import { fold, normalWord } from './folding.ts';
import { toUnitLength } from './normalize.ts';
import { UNSPACED, words } from './words.ts';

export const HASH_DIMENSIONS = 128;

const STEM_LENGTH = 6;
const GRAM_WEIGHT = 0.3;
const MIN_GRAM_LENGTH = 3;
const MAX_GRAM_LENGTH = 5;
const UNSPACED_WORD = new RegExp(`^${UNSPACED}`, 'v');
const encoder = new TextEncoder();

/** Hashes words and n-grams into a unit vector, or zeros. A word's stem is its first six characters. */
export function hashEmbedding(text: string): Float32Array {
  const vector = new Float32Array(HASH_DIMENSIONS);
  for (const { spans } of words(text)) {
    for (const { start, end } of spans) addWord(vector, fold(normalWord(text.slice(start, end))));
  }
  return toUnitLength(vector);
}

function addWord(vector: Float32Array, word: string): void {
  if (word === '') return;
  if (UNSPACED_WORD.test(word)) {
    addFeature(vector, fnv1a(utf8(word)), 1);
    return;
  }
  const stem = Array.from(word.slice(0, 2 * STEM_LENGTH)).slice(0, STEM_LENGTH);
  addFeature(vector, fnv1a(utf8(stem.join(''))), 1);
  addGrams(vector, utf8(`<${word}>`));
}

/** Encodes a word. ASCII words skip the encoder, whose call overhead dominates. */
function utf8(word: string): Uint8Array {
  const bytes = new Uint8Array(word.length);
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code >= 128) return encoder.encode(word);
    bytes[at] = code;
  }
  return bytes;
}

function addGrams(vector: Float32Array, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from++) {
    if (isInsideCharacter(bytes[from])) continue;
    let hash = FNV_OFFSET;
    let characters = 0;
    for (let at = from; at < bytes.length && characters < MAX_GRAM_LENGTH; at++) {
      hash = fnvStep(hash, bytes[at] ?? 0);
      if (isInsideCharacter(bytes[at + 1])) continue;
      characters++;
      if (characters >= MIN_GRAM_LENGTH) addFeature(vector, hash, GRAM_WEIGHT);
    }
  }
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Adds a weight to the slot of the hash's low 7 bits; the eighth bit is the sign. */
function addFeature(vector: Float32Array, hash: number, weight: number): void {
  const slot = hash & 127;
  vector[slot] = (vector[slot] ?? 0) + ((hash & 128) === 0 ? weight : -weight);
}
