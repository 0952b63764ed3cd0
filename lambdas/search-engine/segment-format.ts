/*
 * A segment as bytes. Numbers are little-endian.
 *
 *   "SSEG", the format, the number of sections and a zero, of 4 bytes each
 *   for each section, in the order below: its offset and its length in bytes, of 4 bytes each
 *   the sections, each at a multiple of 16 bytes
 *
 * Terms are numbered in the order of their UTF-16 code units, pages and chunks from 0 in the order of adding. A list of
 * `starts` has one entry more than there are things: those of thing i are from `starts[i]` to `starts[i + 1]`.
 */

/**
 * Raise it with each change of the format, or of the terms of a text: all pages are then indexed again from the page
 * store.
 */
export const SEGMENT_FORMAT = 6;

const MAGIC = 0x47455353;
const ALIGNMENT = 16;
const HEADER_BYTES = 16;

const SECTIONS = {
  /** The lexicon: terms in UTF-8, words as they are spelled (spellings.ts) among them. */
  termStarts: Uint32Array,
  termBytes: Uint8Array,
  /**
   * A hash table: each term's number plus 1 in the first free slot from its hash (FNV-1a) on; 0 for an empty slot. The
   * number of slots is a power of two and at least twice that of terms.
   */
  termSlots: Uint32Array,
  /**
   * For each term, as varints: the number of chunks that have it, and for each of these its difference to the previous
   * chunk * 2, plus 1 if a frequency above 1 follows.
   */
  postingStarts: Uint32Array,
  postings: Uint8Array,
  /** For each term: its number in the forward index. */
  termRanks: Uint32Array,
  /** For each term: the chunks that have it in a label, with the length of the label. */
  labelStarts: Uint32Array,
  labelChunks: Uint32Array,
  labelLengths: Uint8Array,
  /** For each term: the pages that have it in their title. */
  titleStarts: Uint32Array,
  titlePages: Uint32Array,
  /** For each spelled word: its number of pages, its letters as bits, its length in UTF-16 code units. */
  spelledPages: Uint32Array,
  spelledLetters: Uint32Array,
  spelledLengths: Uint8Array,
  /**
   * Lists of these words (deletions.ts), as varints: for each word the difference to the previous one, which is -1
   * before the first. A word is in the lists of the last bits of its hashes; the number of lists is a power of two.
   */
  deletionStarts: Uint32Array,
  deletions: Uint8Array,
  /** For each page: its row in `index_page`, its first chunk, `titleLength`, and `PageFacts` as JSON. */
  pageIds: Uint32Array,
  firstChunks: Uint32Array,
  titleLengths: Uint32Array,
  factStarts: Uint32Array,
  facts: Uint8Array,
  /** For each chunk. The kind of its vector is 0 without one, else an index in `VECTOR_BLOCKS`, plus 1. */
  pageOf: Uint32Array,
  ords: Uint32Array,
  lengths: Uint32Array,
  linkPercents: Uint8Array,
  vectorKinds: Uint8Array,
  /**
   * The forward index, varints; the number of a term is its rank (term-ranks.ts). By chunk: for each position its term
   * * 2, plus 1 if it has the position of the term before; the number of labels, each as term * 16 plus its length. By
   * page: the number of its title terms, these; the number of its words as they are spelled, which are numbered from
   * the first such term on, and for each of them the difference to the previous one.
   */
  chunkStarts: Uint32Array,
  pageStarts: Uint32Array,
  forward: Uint8Array,
  /** Vectors with the same block, one group after the other: kind, start, width, dimensions and number of vectors. */
  vectorGroups: Uint32Array,
  vectorChunks: Uint32Array,
  /** For each vector: the value of a 1 in its 8-bit numbers, the numbers in 8 bits (padded), and in 16 bits. */
  vectorScales: Float32Array,
  vectors8: Int8Array,
  vectors16: Int16Array,
} as const;

type SectionName = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as readonly SectionName[];

/** The sections of a segment, which share one buffer. */
export type Sections = { readonly [Name in SectionName]: InstanceType<(typeof SECTIONS)[Name]> };

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
const FIRST_OFFSET = aligned(HEADER_BYTES + 8 * NAMES.length);

/** Returns all bytes of a segment. */
export function encodeSections(sections: Sections): Uint8Array<ArrayBuffer> {
  const [bytes = new Uint8Array()] = encodeInParts(sections, Infinity);
  return bytes;
}

/** Yields the bytes of a segment in parts of `partBytes`, of which the last may be smaller. */
export function* encodeInParts(sections: Sections, partBytes: number): Generator<Uint8Array<ArrayBuffer>> {
  const placed = placedSections(sections);
  const size = sizeOf(sections);
  for (let start = 0; start < size; start += partBytes) {
    const part = new Uint8Array(Math.min(partBytes, size - start));
    for (const { offset, bytes } of placed) {
      const from = Math.max(start, offset);
      const end = Math.min(start + part.length, offset + bytes.length);
      if (from < end) part.set(bytes.subarray(from - offset, end - offset), from - start);
    }
    yield part;
  }
}

/** Returns the size of a segment in bytes, header included. */
export const sizeOf = (sections: Sections): number =>
  NAMES.reduce((size, name) => size + aligned(sections[name].byteLength), FIRST_OFFSET);

/** Returns the header and the sections with their offsets. */
function placedSections(sections: Sections): readonly { readonly offset: number; readonly bytes: Uint8Array }[] {
  const header = new Uint32Array(FIRST_OFFSET / 4);
  header.set([MAGIC, SEGMENT_FORMAT, NAMES.length]);
  let offset = FIRST_OFFSET;
  const placed = NAMES.map((name, i) => {
    const { buffer, byteOffset, byteLength } = sections[name];
    const place = { offset, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
    header.set([offset, byteLength], HEADER_BYTES / 4 + 2 * i);
    offset += aligned(byteLength);
    return place;
  });
  return [{ offset: 0, bytes: new Uint8Array(header.buffer) }, ...placed];
}

/**
 * Returns views of a segment that begins at `offset` of the buffer, a multiple of 16. Throws if it has another format.
 */
export function decodeSections(buffer: ArrayBuffer, offset = 0): Sections {
  const header = new Uint32Array(buffer, offset, HEADER_BYTES / 4 + 2 * NAMES.length);
  if (header[0] !== MAGIC || header[1] !== SEGMENT_FORMAT || header[2] !== NAMES.length)
    throw new Error('The bytes are not a segment of the search index in the format of this version');
  const views = NAMES.map((name, i) => {
    const at = HEADER_BYTES / 4 + 2 * i;
    const section = SECTIONS[name];
    const length = (header[at + 1] as number) / section.BYTES_PER_ELEMENT;
    return [name, new section(buffer, offset + (header[at] as number), length)];
  });
  return Object.fromEntries(views) as Sections;
}
