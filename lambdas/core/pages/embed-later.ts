import { isOutage, type Report, UnavailableError } from '../errors.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Queue } from '../ports/queue.ts';
import { readSite } from '../sites/site.ts';
import { urlHash } from '../web/url.ts';
import { indexEntries } from './index-entry.ts';
import { pageKey, type RegisteredPage, withoutKey } from './page-registry.ts';
import { type Draft, type EntryMaker, type WriteDeps, writePages } from './write-pages.ts';

/** Names pages that were indexed by their words alone; `attempt` counts the times that the embedder was asked for them since. */
export type EmbedLater = {
  readonly siteId: string;
  readonly generation: number;
  readonly urls: readonly string[];
  readonly attempt: number;
};

/** Pages of one ingest request wait together so long for their vectors. */
const PATIENCE_MS = 8000;
/** The pages are written by then. */
const FIRST_DELAY_SECONDS = 10;
const LONGEST_DELAY_SECONDS = 300;
/** About a week. */
const ATTEMPTS = 2000;

const WORDS_ALONE: Embedder = {
  space: '',
  dimensions: 0,
  embedTexts: async (texts) => texts.map(() => undefined),
  embedQuery: async () => undefined,
};

type EmbedDeps = {
  readonly embedder: Embedder;
  readonly queue: Queue;
  /** Is told why pages go without vectors. */
  readonly report: Report;
};
type PatientDeps = EmbedDeps & { readonly sleep: (ms: number) => Promise<void> };

/**
 * Makes the entries of one request. Where the embedder fails or is slow, pages go by their words, and a message is sent to add the
 * vectors; then the rest of the request does not ask it again.
 */
export function patientEntries({ embedder, queue, sleep, report }: PatientDeps): EntryMaker {
  let isAway = false;
  const tooSlow = async (): Promise<never> => {
    await sleep(PATIENCE_MS);
    throw new UnavailableError('the embedder is slow');
  };
  return async (pages) => {
    const [first] = pages;
    try {
      if (isAway) throw new UnavailableError('the embedder is away');
      const embedded = indexEntries(pages, embedder);
      // The race itself answers nothing: what it answers is kept until its last runner comes in.
      await Promise.race([embedded.then(() => undefined), tooSlow()]);
      return { indexed: await embedded, unembedded: false };
    } catch (error) {
      if (!isOutage(error) || !first) throw error;
      if (!isAway) report('pages are indexed by their words alone for now', error);
      isAway = true;
      const { siteId, generation } = first;
      // Sent before anything is written, so that a crash between the two loses no vectors.
      await sendEmbedLater({ siteId, generation, urls: pages.map(({ row }) => row.url), attempt: 0 }, queue);
      return { indexed: await indexEntries(pages, WORDS_ALONE), unembedded: true };
    }
  };
}

const sendEmbedLater = (message: EmbedLater, queue: Queue): Promise<void> =>
  queue.send('embed-pages', {
    body: JSON.stringify(message),
    delaySeconds: Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** Math.min(message.attempt, 10)),
  });

/** Adds the vectors of pages that still lack them; while the embedder is away, sends itself again with growing pauses. */
export async function embedPages(message: EmbedLater, deps: WriteDeps & EmbedDeps): Promise<void> {
  const { siteId, generation, attempt } = message;
  const site = await readSite(siteId, deps.table);
  if (site?.state.generation !== generation) return;
  const drafts = await unembeddedPages(message, deps);
  if (drafts.length === 0) return;
  const target = { siteId, generation, languages: site.state.languages ?? [], mostPages: Number.MAX_SAFE_INTEGER };
  try {
    const makeEntries: EntryMaker = async (pages) => ({
      indexed: await indexEntries(pages, deps.embedder),
      unembedded: false,
    });
    await writePages(drafts, target, makeEntries, deps);
  } catch (error) {
    if (!isOutage(error)) throw error;
    deps.report('pages still wait for their vectors', error);
    if (attempt < ATTEMPTS) await sendEmbedLater({ ...message, attempt: attempt + 1 }, deps.queue);
  }
}

/** The pages as they are, to be written once more; one that was written anew or deleted meanwhile is none of them. */
async function unembeddedPages(
  { siteId, generation, urls }: EmbedLater,
  { table, pageStore }: WriteDeps,
): Promise<readonly Draft[]> {
  const keys = urls.map((url) => pageKey(siteId, generation, { url, urlHash: urlHash(url) }));
  const rows = (await table.getMany<RegisteredPage>(keys)).flatMap((row) => (row?.unembedded ? withoutKey(row) : []));
  const texts = await pageStore.get(rows.map((row) => ({ ...row, siteId, generation })));
  return rows.flatMap((before, place) => {
    const { unembedded, pending, ...row } = before;
    const page = texts[place];
    return page ? [{ before, row, page }] : [];
  });
}
