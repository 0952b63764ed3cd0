import * as z from 'zod';
import { LoggedEvent } from './domain/ports/logged-event.ts';
import type { Permissions } from './permissions.ts';

/*
 * All queues: their messages, their delivery, their workers and what these use.
 * The group of a FIFO message is its organisation and site, so one worker at a time handles a site. Reindexing has one
 * group.
 */

type WorkedQueue =
  | 'starts'
  | 'crawl'
  | 'render'
  | 'embed-pages'
  | 'enrich-pages'
  | 'refill-pages'
  | 'move-index'
  | 'clean-up'
  | 'webhooks'
  | 'site-health'
  | 'telemetry'
  | 'edge-logs';
/** Written out, so that definitions can refer to each other. Both kinds of crawls share a dead-letter queue. */
export type QueueName = WorkedQueue | `${Exclude<WorkedQueue, 'render'>}-dead`;

/** A queue. `uses` and `sends` are those of its worker. */
export type QueueDefinition = Permissions & {
  readonly summary: string;
  /** The file in `workers/` that processes the queue. Messages of a queue without a worker wait for an operator. */
  readonly worker?: string;
  readonly message: z.ZodType;
  readonly fifo: boolean;
  /** The visibility timeout: an unacknowledged message is delivered again after it. */
  readonly visibilitySeconds: number;
  readonly maxReceives: number;
  /** Up to `size` messages are delivered at once, after at most `windowSeconds`. @default one message at a time */
  readonly batch?: { readonly size: number; readonly windowSeconds: number };
  /** The queue that gets a message after its last receive. A queue without one is itself a dead-letter queue. */
  readonly deadLetters?: QueueName;
};

const CrawlSlice = z.object({ siteId: z.string(), jobId: z.string(), slice: z.int().min(0) });

const EmbedLater = z.object({
  siteId: z.string(),
  generation: z.int(),
  urls: z.array(z.string()),
  attempt: z.int().min(0),
});

const EnrichLater = z.object({
  siteId: z.string(),
  generation: z.int(),
  pages: z.array(
    z.object({
      url: z.string(),
      contentHash: z.string(),
      wanted: z.array(z.enum(['title', 'summary', 'tags'])),
    }),
  ),
  attempt: z.int().min(0),
});

const SiteRefill = z.object({
  siteId: z.string(),
  version: z.string().nullable(),
  after: z.object({ url: z.string(), urlHash: z.string() }).optional(),
  isSecondPass: z.boolean(),
});

const IndexMove = z.object({ version: z.int() });

/** Without a step, the message concerns older crawls, or is the first message of a deletion or purge. */
const SiteCleanUp = z.object({ siteId: z.string(), step: z.int().min(0).optional() });

const ScheduledStart = z.object({
  siteId: z.string(),
  /** ISO 8601, as EventBridge Scheduler writes it. */
  dueAt: z.iso.datetime().transform((text) => Math.floor(Date.parse(text) / 1000)),
});

/** The first message is about the events of a site. Each attempt of a delivery then has its own message. */
const WebhookWork = z.union([
  z.object({ siteId: z.string(), deliveryId: z.string(), attempt: z.int().min(0) }),
  z.object({ siteId: z.string() }),
]);

const Telemetry = z.object({ events: z.array(LoggedEvent) });

/** The key of the log file in its bucket. */
const EdgeLog = z.object({ key: z.string() });

/** What the workers of both queues of slices send. They run the same code. */
const SLICE_SENDS = ['crawl', 'render', 'embed-pages', 'enrich-pages', 'clean-up', 'webhooks'] as const;

/** Dead letters have no further queue, so they may be received many times. */
const DEAD_LETTERS = { fifo: false, visibilitySeconds: 120, maxReceives: 1000 } as const;

export const queues = {
  starts: {
    summary: 'Starts a crawl by the schedule of its site',
    worker: 'start-scheduled',
    uses: ['table', 'timetable'],
    sends: ['crawl', 'render'],
    message: ScheduledStart,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'starts-dead',
  },
  'starts-dead': {
    summary: 'Scheduled starts that failed twenty times. The schedule goes on',
    message: ScheduledStart,
    ...DEAD_LETTERS,
  },
  crawl: {
    summary: 'Runs one slice of a crawl job',
    worker: 'crawl-slice',
    uses: ['table', 'page-store', 'page-index', 'embedder', 'chat-model'],
    sends: SLICE_SENDS,
    message: CrawlSlice,
    fifo: true,
    visibilitySeconds: 120,
    maxReceives: 5,
    deadLetters: 'crawl-dead',
  },
  render: {
    summary: 'Runs one slice of a crawl job that shows pages in a browser',
    worker: 'render-slice',
    uses: ['table', 'page-store', 'page-index', 'embedder', 'chat-model', 'page-renderer'],
    sends: SLICE_SENDS,
    message: CrawlSlice,
    fifo: true,
    visibilitySeconds: 120,
    maxReceives: 5,
    deadLetters: 'crawl-dead',
  },
  'crawl-dead': {
    summary: 'Ends crawl jobs as failed whose slice failed five times',
    worker: 'crawl-dead',
    uses: ['table'],
    sends: ['crawl', 'render', 'clean-up', 'webhooks'],
    message: CrawlSlice,
    ...DEAD_LETTERS,
    fifo: true,
  },
  'embed-pages': {
    summary: 'Adds vectors to pages that were indexed during an outage of the embedding provider',
    worker: 'embed-pages',
    uses: ['table', 'page-store', 'page-index', 'embedder'],
    sends: ['embed-pages'],
    message: EmbedLater,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'embed-pages-dead',
  },
  'embed-pages-dead': {
    summary: 'Pages whose vectors could not be added in twenty attempts. They are still found by words',
    message: EmbedLater,
    ...DEAD_LETTERS,
  },
  'enrich-pages': {
    summary: 'Adds summaries and tags by the chat model to pages that were crawled, or ingested while it was slow',
    worker: 'enrich-pages',
    uses: ['table', 'page-store', 'page-index', 'embedder', 'chat-model'],
    sends: ['embed-pages', 'enrich-pages'],
    message: EnrichLater,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'enrich-pages-dead',
  },
  'enrich-pages-dead': {
    summary: 'Pages that the chat model could not describe in twenty attempts. They keep what was extracted',
    message: EnrichLater,
    ...DEAD_LETTERS,
  },
  'refill-pages': {
    summary: 'Fills metadata fields of pages that were indexed before the metadata schema had their sources',
    worker: 'refill-pages',
    uses: ['table', 'page-store', 'page-index', 'embedder'],
    sends: ['embed-pages', 'refill-pages'],
    message: SiteRefill,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'refill-pages-dead',
  },
  'refill-pages-dead': {
    summary: 'Sites whose pages could not be filled in twenty attempts. The next crawl fills them',
    message: SiteRefill,
    ...DEAD_LETTERS,
  },
  'move-index': {
    summary: 'Runs one slice of reindexing: copies pages to the index of another embedding model, or to a new index',
    worker: 'move-index',
    uses: ['table', 'page-store', 'page-index', 'index-moves', 'embedder'],
    sends: ['move-index'],
    message: IndexMove,
    fifo: true,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'move-index-dead',
  },
  'move-index-dead': {
    summary: 'Slices of reindexing that failed twenty times. The watchdog starts reindexing again',
    message: IndexMove,
    ...DEAD_LETTERS,
    fifo: true,
  },
  'clean-up': {
    summary: 'Deletes the remaining data of a deleted or purged site, and the lists of URLs of older crawls',
    worker: 'clean-up-site',
    uses: ['table', 'timetable', 'page-store', 'page-index', 'event-log'],
    sends: ['clean-up'],
    message: SiteCleanUp,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'clean-up-dead',
  },
  'clean-up-dead': {
    summary: 'Clean-ups of deleted or purged sites that failed twenty times, kept for an operator',
    message: SiteCleanUp,
    ...DEAD_LETTERS,
  },
  webhooks: {
    summary: 'Sends events of a site to its webhooks',
    worker: 'deliver-webhooks',
    uses: ['table'],
    sends: ['webhooks', 'site-health'],
    message: WebhookWork,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'webhooks-dead',
  },
  'webhooks-dead': {
    summary: 'Events that could not be read or sent in twenty attempts. The watchdog sends them again',
    message: WebhookWork,
    ...DEAD_LETTERS,
  },
  'site-health': {
    summary: 'Works out the health of a site after a crawl',
    worker: 'check-health',
    uses: ['table', 'page-store-reader', 'index-reader', 'embedder'],
    message: z.object({ siteId: z.string(), jobId: z.string() }),
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 5,
    deadLetters: 'site-health-dead',
  },
  'site-health-dead': {
    summary: 'Checks of the health of a site that failed five times. The next crawl makes another',
    message: z.object({ siteId: z.string(), jobId: z.string() }),
    ...DEAD_LETTERS,
  },
  telemetry: {
    summary: 'Appends events of visitors to the event log',
    worker: 'append-events',
    uses: ['event-log'],
    message: Telemetry,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    batch: { size: 100, windowSeconds: 5 },
    deadLetters: 'telemetry-dead',
  },
  'telemetry-dead': {
    summary: 'Events that could not be appended in twenty attempts. They are missing in the figures until sent again',
    message: Telemetry,
    ...DEAD_LETTERS,
  },
  'edge-logs': {
    summary: 'Counts the searches that the edge answered from its cache, from a log file',
    worker: 'count-edge-hits',
    uses: ['table-reader', 'edge-logs'],
    sends: ['telemetry'],
    message: EdgeLog,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'edge-logs-dead',
  },
  'edge-logs-dead': {
    summary: 'Log files of the edge that could not be counted in twenty attempts. They are deleted after a day',
    message: EdgeLog,
    ...DEAD_LETTERS,
  },
} as const satisfies Record<QueueName, QueueDefinition>;
