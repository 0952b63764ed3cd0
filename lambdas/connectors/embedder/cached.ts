import { createHash } from 'node:crypto';
import { batches } from '../../domain/batches.ts';
import { type Clock, epochSeconds } from '../../domain/clock.ts';
import type { EmbeddedText, Embedder, EmbeddingAccount } from '../../domain/ports/embedder.ts';
import type { Item, Key, Table } from '../../domain/ports/table.ts';

/** The lifetime of a cached vector. A read in the second half of it renews it. */
const LIFETIME_SECONDS = 365 * 24 * 3600;
/** Each batch is stored before the next is embedded, so that a failure loses at most one. */
const BATCH_SIZE = 128;

type VectorItem = { readonly block: EmbeddedText['block']; readonly numbers: string };
type Hashed = { readonly hash: string; readonly text: string; readonly language?: string | undefined };

/** Caches the vectors of texts in the table, by embedding space and hash of the text. Queries are not cached. */
export function cachedEmbedder(
  embedder: Embedder,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Embedder {
  const { space, dimensions } = embedder;

  const read = async (texts: readonly Hashed[]): Promise<ReadonlyMap<string, EmbeddedText>> => {
    const items = await table.getMany<VectorItem>(texts.map(({ hash }) => vectorKey(space, hash)));
    const now = epochSeconds(clock);
    const old = items.flatMap((item) => (item && (item.expiresAt ?? 0) < now + LIFETIME_SECONDS / 2 ? item : []));
    if (old.length > 0) await table.putMany(old.map((item) => ({ ...item, expiresAt: now + LIFETIME_SECONDS })));
    return byHash(texts, (i) => decode(items[i], dimensions));
  };

  const make = async (
    texts: readonly Hashed[],
    account: EmbeddingAccount | undefined,
  ): Promise<ReadonlyMap<string, EmbeddedText>> => {
    const embedded = await embedder.embedTexts(texts, account);
    const made = byHash(texts, (i) => embedded[i]);
    const expiresAt = epochSeconds(clock) + LIFETIME_SECONDS;
    await table.putMany([...made].map(([hash, vector]) => encode(vectorKey(space, hash), vector, expiresAt)));
    return made;
  };

  return {
    space,
    dimensions,
    embedQuery: (query, deadlineMs, account) => embedder.embedQuery(query, deadlineMs, account),

    async embedTexts(texts, account) {
      const hashed = texts.map((text): Hashed => ({ ...text, hash: hashOf(text.text) }));
      const distinct = [...new Map(hashed.map((text) => [text.hash, text])).values()];
      const known = new Map(await read(distinct));
      const missing = distinct.filter(({ hash }) => !known.has(hash));
      for (const batch of batches(missing, BATCH_SIZE)) {
        const made = await make(batch, account);
        for (const [hash, vector] of made) known.set(hash, vector);
      }
      return hashed.map(({ hash }) => known.get(hash));
    },
  };
}

function byHash(
  texts: readonly Hashed[],
  vectorAt: (index: number) => EmbeddedText | undefined,
): ReadonlyMap<string, EmbeddedText> {
  return new Map(
    texts.flatMap(({ hash }, i) => {
      const vector = vectorAt(i);
      return vector ? [[hash, vector] as const] : [];
    }),
  );
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
const vectorKey = (space: string, hash: string): Key => ({ pk: `VECTOR#${space}#${hash}`, sk: 'VECTOR' });

/** Converts a vector to an item, whose `numbers` are 32-bit little-endian floats in base64. */
function encode(key: Key, { vector, block }: EmbeddedText, expiresAt: number): Item {
  const bytes = new DataView(new ArrayBuffer(4 * vector.length));
  for (const [i, number] of vector.entries()) bytes.setFloat32(4 * i, number, true);
  return { ...key, block, numbers: Buffer.from(bytes.buffer).toString('base64'), expiresAt };
}

function decode(item: VectorItem | undefined, dimensions: number): EmbeddedText | undefined {
  const bytes = Buffer.from(item?.numbers ?? '', 'base64');
  if (!item || bytes.length !== 4 * dimensions) return undefined;
  const vector = Float32Array.from({ length: dimensions }, (_, i) => bytes.readFloatLE(4 * i));
  return { vector, block: item.block };
}
