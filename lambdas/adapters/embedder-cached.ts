import { createHash } from 'node:crypto';
import { type Clock, epochSeconds } from '../core/clock.ts';
import type { EmbeddedText, Embedder } from '../core/ports/embedder.ts';
import type { Item, Key, Table } from '../core/ports/table.ts';

/** A vector that is read in the second half of its life begins another one; after its life it is made anew. */
const LIFE_SECONDS = 365 * 24 * 3600;
/** What was made is kept before more is asked for, so that a failure loses no more than this. */
const TEXTS_AT_A_TIME = 128;

type VectorItem = { readonly block: EmbeddedText['block']; readonly numbers: string };
type Hashed = { readonly hash: string; readonly text: string; readonly language?: string | undefined };

/** Asks for the vector of a text once and keeps it, by the hash of the text and the space. Queries are not kept. */
export function cachedEmbedder(
  embedder: Embedder,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Embedder {
  const { space, dimensions } = embedder;

  const read = async (texts: readonly Hashed[]): Promise<ReadonlyMap<string, EmbeddedText>> => {
    const items = await table.getMany<VectorItem>(texts.map(({ hash }) => vectorKey(space, hash)));
    const now = epochSeconds(clock);
    const old = items.flatMap((item) => (item && (item.expiresAt ?? 0) < now + LIFE_SECONDS / 2 ? item : []));
    if (old.length > 0) await table.putMany(old.map((item) => ({ ...item, expiresAt: now + LIFE_SECONDS })));
    return byHash(texts, (place) => unpacked(items[place], dimensions));
  };

  const make = async (texts: readonly Hashed[]): Promise<ReadonlyMap<string, EmbeddedText>> => {
    const embedded = await embedder.embedTexts(texts);
    const made = byHash(texts, (place) => embedded[place]);
    const expiresAt = epochSeconds(clock) + LIFE_SECONDS;
    await table.putMany([...made].map(([hash, vector]) => packed(vectorKey(space, hash), vector, expiresAt)));
    return made;
  };

  return {
    space,
    dimensions,
    embedQuery: (query, deadlineMs) => embedder.embedQuery(query, deadlineMs),

    async embedTexts(texts) {
      const hashed = texts.map((text): Hashed => ({ ...text, hash: hashOf(text.text) }));
      const distinct = [...new Map(hashed.map((text) => [text.hash, text])).values()];
      const known = new Map(await read(distinct));
      const missing = distinct.filter(({ hash }) => !known.has(hash));
      for (let from = 0; from < missing.length; from += TEXTS_AT_A_TIME) {
        const made = await make(missing.slice(from, from + TEXTS_AT_A_TIME));
        for (const [hash, vector] of made) known.set(hash, vector);
      }
      return hashed.map(({ hash }) => known.get(hash));
    },
  };
}

function byHash(
  texts: readonly Hashed[],
  vectorAt: (place: number) => EmbeddedText | undefined,
): ReadonlyMap<string, EmbeddedText> {
  return new Map(
    texts.flatMap(({ hash }, place) => {
      const vector = vectorAt(place);
      return vector ? [[hash, vector] as const] : [];
    }),
  );
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
const vectorKey = (space: string, hash: string): Key => ({ pk: `VECTOR#${space}#${hash}`, sk: 'VECTOR' });

/** The numbers as 32-bit floats, the lowest byte first, in base64. */
function packed(key: Key, { vector, block }: EmbeddedText, expiresAt: number): Item {
  const bytes = new DataView(new ArrayBuffer(4 * vector.length));
  for (const [place, number] of vector.entries()) bytes.setFloat32(4 * place, number, true);
  return { ...key, block, numbers: Buffer.from(bytes.buffer).toString('base64'), expiresAt };
}

/** Undefined for what is no vector of the space. */
function unpacked(item: VectorItem | undefined, dimensions: number): EmbeddedText | undefined {
  const bytes = Buffer.from(item?.numbers ?? '', 'base64');
  if (!item || bytes.length !== 4 * dimensions) return undefined;
  const vector = Float32Array.from({ length: dimensions }, (_, place) => bytes.readFloatLE(4 * place));
  return { vector, block: item.block };
}
