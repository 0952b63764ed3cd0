import { urlHash } from '../../../text/web/url.ts';
import { steadyClock } from '../../clock.ts';
import { AiBudgetError, isOutage, type Report } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import type { Queue } from '../../ports/queue.ts';
import { readSite } from '../../sites/site.ts';
import { meteredEmbedder } from '../../sites/usage/metered-embedder.ts';
import { entriesWithDeadline } from '../embed-later.ts';
import { type RegisteredPage, readRows } from '../page-registry.ts';
import { type EntryMaker, type PageDeps, type PageDraft, siteWriter } from '../page-writer.ts';
import { readStoredPages } from '../stored-page.ts';
import { writePages } from '../write-pages.ts';
import { type GeneratedField, type MakingDeps, madeMetadata, withGenerated } from './generated-metadata.ts';

export type PageToEnrich = {
  readonly url: string;
  /** The page's hash when the message was sent. A page that has changed since has another message. */
  readonly contentHash: string;
  readonly wanted: readonly GeneratedField[];
};
export type EnrichLater = SiteScope & {
  readonly pages: readonly PageToEnrich[];
  /** Number of failed attempts. */
  readonly attempt: number;
};

/** Longer than the request that sends the message takes. */
const FIRST_DELAY_SECONDS = 10;
const MAX_DELAY_SECONDS = 300;
/** Maximum delay of a queue. */
const BUDGET_DELAY_SECONDS = 900;
/** About a day of attempts. */
const ATTEMPTS = 300;
const MODEL_DEADLINE_MS = 15_000;
const TURN_MS = 60_000;

const sendEnrichLater = (message: EnrichLater, queue: Queue, delaySeconds = delayOf(message)): Promise<void> =>
  queue.send('enrich-pages', { body: JSON.stringify(message), delaySeconds });

const delayOf = ({ attempt }: EnrichLater): number =>
  Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** Math.min(attempt, 10));

/** Makes entries with `makeEntries`, after sending a message about the pages that a model enriches later. */
export const enrichedLater =
  (makeEntries: EntryMaker, wantedOf: (url: string) => readonly GeneratedField[], queue: Queue): EntryMaker =>
  async (pages) => {
    const [first] = pages;
    const toEnrich = pages.flatMap(({ row: { url, contentHash } }) => {
      const wanted = wantedOf(url);
      return wanted.length > 0 ? [{ url, contentHash, wanted }] : [];
    });
    if (first && toEnrich.length > 0) {
      const { siteId, generation } = first;
      // The message is sent before anything is written, so that a crash loses nothing.
      await sendEnrichLater({ siteId, generation, pages: toEnrich, attempt: 0 }, queue);
    }
    return makeEntries(pages);
  };

export type EnrichDeps = PageDeps &
  MakingDeps & {
    readonly embedder: Embedder;
    readonly queue: Queue;
    readonly report: Report;
    readonly sleep: (ms: number) => Promise<void>;
  };

/** Adds generated metadata to pages that are unchanged. Pages that fail or remain after a minute are sent again. */
export async function enrichPages(message: EnrichLater, given: EnrichDeps): Promise<void> {
  const deps = { ...given, clock: steadyClock(given.clock) };
  const deadline = deps.clock() + TURN_MS;
  for (const [index, page] of message.pages.entries()) {
    const left = { ...message, pages: message.pages.slice(index) };
    if (deps.clock() > deadline) return sendEnrichLater(left, deps.queue, 0);
    try {
      if (!(await enrichPage(page, message, deps))) return sendEnrichLater(left, deps.queue);
    } catch (error) {
      return sendAgain(left, error, deps);
    }
  }
}

async function sendAgain(left: EnrichLater, error: unknown, { queue, report }: EnrichDeps): Promise<void> {
  if (!isOutage(error)) throw error;
  report('pages still wait for what a model adds', error);
  if (error instanceof AiBudgetError) return sendEnrichLater(left, queue, BUDGET_DELAY_SECONDS);
  const attempt = left.attempt + 1;
  if (attempt < ATTEMPTS) await sendEnrichLater({ ...left, attempt }, queue);
}

/** Returns false if another writer changed the page first. */
async function enrichPage(
  { url, contentHash, wanted }: PageToEnrich,
  { siteId, generation }: SiteScope,
  deps: EnrichDeps,
): Promise<boolean> {
  const scope = { siteId, generation };
  const site = await readSite(siteId, deps.table);
  if (site?.state.generation !== generation) return true;
  const before = (await readRows(scope, [{ url, urlHash: urlHash(url) }], deps.table)).get(urlHash(url));
  if (!before || before.contentHash !== contentHash || before.removing) return true;
  const draft = await draftOf(before, scope, deps);
  const made = draft && (await madeMetadata(draft.page, site.settings.orgId, MODEL_DEADLINE_MS, deps));
  if (!draft || !made) return true;
  const embedder = meteredEmbedder(deps.embedder, site.settings.orgId, deps);
  const writer = siteWriter(scope, { makeEntries: entriesWithDeadline({ ...deps, embedder }) }, deps.table);
  const enriched = withGenerated(draft, made, wanted);
  return (await writePages([enriched], writer, deps)).get(enriched) !== 'overtaken';
}

async function draftOf(
  before: RegisteredPage,
  scope: SiteScope,
  { pageStore }: Pick<EnrichDeps, 'pageStore'>,
): Promise<PageDraft | undefined> {
  const page = (await readStoredPages(scope, [before], pageStore)).get(before.urlHash);
  const { unembedded, pending, removing, ...row } = before;
  return page && { before, row, page };
}
