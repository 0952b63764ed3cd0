import type { Clock } from '../../domain/clock.ts';
import { isOutage } from '../../domain/errors.ts';
import type { EmbeddedPage, Embedder, EmbeddingAccount } from '../../domain/ports/embedder.ts';
import type { Key, Table, TableReader } from '../../domain/ports/table.ts';
import { type CosineSums, measuredScale } from '../../text/words/cosine-scale.ts';
import { fnv1aOfText } from '../../text/words/fnv1a.ts';

/**
 * Until `FIRST_TITLES` titles are measured, up to `AT_ONCE` pages of each batch are. Later, one page in `ONE_IN` is.
 */
const FIRST_TITLES = 200;
const AT_ONCE = 8;
const ONE_IN = 64;
/** The time for which a process caches the sums, in milliseconds. */
const KEPT_MS = 5000;

const keyOf = ({ space }: Pick<Embedder, 'space'>): Key => ({ pk: `SCALE#${space}`, sk: 'SCALE' });

/** Returns a function that reads the sums of a space, at most once in `KEPT_MS`. */
function sumsReader(embedder: Embedder, { table, clock }: { readonly table: TableReader; readonly clock: Clock }) {
  let kept: { readonly sums: CosineSums | undefined; readonly until: number } | undefined;
  return async (): Promise<CosineSums | undefined> => {
    if (!kept || kept.until <= clock())
      kept = { sums: await table.get<CosineSums>(keyOf(embedder)), until: clock() + KEPT_MS };
    return kept.sums;
  };
}

/** Adds the scale of an embedder's cosines, as `calibratingEmbedder` has measured it. */
export function calibratedEmbedder(
  embedder: Embedder,
  deps: { readonly table: TableReader; readonly clock: Clock },
): Embedder {
  const sumsSoFar = sumsReader(embedder, deps);
  return {
    ...embedder,
    async scale() {
      const sums = await sumsSoFar().catch(ignoreOutage);
      return sums && measuredScale(sums);
    },
  };
}

/** Measures the scale of a space's cosines while pages are indexed, and stores it in the table. */
export function calibratingEmbedder(
  embedder: Embedder,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Embedder {
  const sumsSoFar = sumsReader(embedder, { table, clock });

  const add = async (pages: readonly EmbeddedPage[], account: EmbeddingAccount | undefined): Promise<void> => {
    const embedded = pages.filter(({ title, vectors }) => title !== '' && vectors.length > 0);
    // A single page cannot be compared with another, and would cost a request for its title.
    if (embedded.length < 2) return;
    const isFirst = ((await sumsSoFar())?.titles ?? 0) < FIRST_TITLES;
    const chosen = embedded.filter(({ url }) => isFirst || fnv1aOfText(url) % ONE_IN === 0).slice(0, AT_ONCE);
    if (chosen.length === 0) return;
    const titles = await embedder.embedTexts(
      chosen.map(({ title }) => ({ text: title })),
      account,
    );
    const related = chosen.map(({ vectors: [first] }, i) => cosine(titles[i]?.vector, first));
    const unrelated = chosen.map((page) => cosine(page.vectors[0], pageFarFrom(page, embedded)?.vectors[0]));
    await table.update(keyOf(embedder), {
      add: { ...summed(related, 'related', 'titles'), ...summed(unrelated, 'unrelated', 'pairs') },
    });
  };

  return {
    ...calibratedEmbedder(embedder, { table, clock }),
    async measure(pages, account) {
      await add(pages, account).catch(ignoreOutage);
    },
  };
}

/** Returns the page half a batch away, since neighbouring pages may have the same topic. */
function pageFarFrom(page: EmbeddedPage, batch: readonly EmbeddedPage[]): EmbeddedPage | undefined {
  const other = batch[(batch.indexOf(page) + Math.ceil(batch.length / 2)) % batch.length];
  return other === page ? undefined : other;
}

function summed(
  cosines: readonly (number | undefined)[],
  sum: string,
  count: string,
): Readonly<Record<string, number>> {
  const known = cosines.filter((one) => one !== undefined);
  return { [sum]: known.reduce((total, one) => total + one, 0), [count]: known.length };
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number | undefined {
  return a && b && a.reduce((sum, number, i) => sum + number * (b[i] ?? 0), 0);
}

function ignoreOutage(error: unknown): undefined {
  if (!isOutage(error)) throw error;
}
