import { urlHash } from '../../text/web/url.ts';
import { AiBudgetError, isOutage, type Report, UnavailableError } from '../errors.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Queue } from '../ports/queue.ts';
import { readSite } from '../sites/site.ts';
import { meteredEmbedder } from '../sites/usage/metered-embedder.ts';
import { indexEntries } from './index-entry.ts';
import { readRows } from './page-registry.ts';
import { type EntryMaker, type PageDeps, type PageDraft, siteWriter } from './page-writer.ts';
import { readStoredPages } from './stored-page.ts';
import { writePages } from './write-pages.ts';

/** Names pages that were indexed without vectors. `attempt` is the number of failed attempts to add them. */
export type EmbedLater = {
  readonly siteId: string;
  readonly generation: number;
  readonly urls: readonly string[];
  readonly attempt: number;
};

/** Maximum time that all pages of one ingest request wait for their vectors. */
const EMBED_DEADLINE_MS = 8000;
/** Longer than the request that sends the message takes. */
const FIRST_DELAY_SECONDS = 10;
const MAX_DELAY_SECONDS = 300;
/** Maximum delay of a queue. */
const BUDGET_DELAY_SECONDS = 900;
/** About a week of attempts. */
const ATTEMPTS = 2000;

const NO_VECTORS: Embedder = {
  space: '',
  dimensions: 0,
  embedTexts: async (texts) => texts.map(() => undefined),
  embedQuery: async () => undefined,
};

type EmbedDeps = {
  readonly embedder: Embedder;
  readonly queue: Queue;
  readonly report: Report;
};
type PatientDeps = EmbedDeps & { readonly sleep: (ms: number) => Promise<void> };

/** Makes the entries of one request. Once the embedder fails or is too slow, vectors are added later. */
export function entriesWithDeadline({ embedder, queue, sleep, report }: PatientDeps): EntryMaker {
  let isAway = false;
  const tooSlow = async (): Promise<never> => {
    await sleep(EMBED_DEADLINE_MS);
    throw new UnavailableError('the embedder is slow');
  };
  return async (pages) => {
    const [first] = pages;
    try {
      if (isAway) throw new UnavailableError('the embedder is unavailable');
      const embedded = indexEntries(pages, embedder);
      // The race resolves to nothing: otherwise it would keep the winner's value in memory until the loser has settled.
      await Promise.race([embedded.then(() => undefined), tooSlow()]);
      return { entries: await embedded, unembedded: false };
    } catch (error) {
      if (!isOutage(error) || !first) throw error;
      if (!isAway) report('pages are indexed without vectors for now', error);
      isAway = true;
      return entriesWithoutVectors(pages, queue);
    }
  };
}

/** Makes entries without vectors. First sends a message to add the vectors later, so that a crash loses none. */
export async function entriesWithoutVectors(pages: Parameters<EntryMaker>[0], queue: Queue): ReturnType<EntryMaker> {
  const [first] = pages;
  if (first) {
    const { siteId, generation } = first;
    await sendEmbedLater({ siteId, generation, urls: pages.map(({ row }) => row.url), attempt: 0 }, queue);
  }
  return { entries: await indexEntries(pages, NO_VECTORS), unembedded: true };
}

const sendEmbedLater = (message: EmbedLater, queue: Queue, delaySeconds = delayOf(message)): Promise<void> =>
  queue.send('embed-pages', { body: JSON.stringify(message), delaySeconds });

const delayOf = ({ attempt }: EmbedLater): number =>
  Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** Math.min(attempt, 10));

/** Adds missing vectors. While the embedder is unavailable, it sends the message again with growing delays. */
export async function embedPages(message: EmbedLater, deps: PageDeps & EmbedDeps): Promise<void> {
  const { siteId, generation, attempt } = message;
  const site = await readSite(siteId, deps.table);
  if (!site || site.state.generation !== generation) return;
  const drafts = await unembeddedPages(message, deps);
  const makeEntries: EntryMaker = async (pages) => ({
    entries: await indexEntries(pages, meteredEmbedder(deps.embedder, site.settings.orgId, deps)),
    unembedded: false,
  });
  try {
    await writePages(drafts, siteWriter({ siteId, generation }, { makeEntries }, deps.table), deps);
  } catch (error) {
    if (!isOutage(error)) throw error;
    deps.report('pages still wait for their vectors', error);
    // The message waits for the next month. This does not count as a failed attempt.
    if (error instanceof AiBudgetError) return sendEmbedLater(message, deps.queue, BUDGET_DELAY_SECONDS);
    if (attempt < ATTEMPTS) await sendEmbedLater({ ...message, attempt: attempt + 1 }, deps.queue);
  }
}

async function unembeddedPages(
  { siteId, generation, urls }: EmbedLater,
  { table, pageStore }: PageDeps,
): Promise<readonly PageDraft[]> {
  const site = { siteId, generation };
  const identities = urls.map((url) => ({ url, urlHash: urlHash(url) }));
  const rows = [...(await readRows(site, identities, table)).values()].filter((row) => row.unembedded);
  const stored = await readStoredPages(site, rows, pageStore);
  return rows.flatMap((before) => {
    const { unembedded, pending, removing, ...row } = before;
    const page = stored.get(before.urlHash);
    return page ? [{ before, row, page }] : [];
  });
}
