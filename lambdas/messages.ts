import * as z from 'zod';

/*
 * Every queue at a glance: what a message says, how it is delivered, which worker takes it (workers/<worker>.ts).
 * A FIFO queue's group is the site, so that a site is never worked twice at once; of moves there is one at a time.
 */

export type QueueDefinition = {
  readonly summary: string;
  /** The file of `workers/` that processes the queue. Without one, messages wait for an operator. */
  readonly worker?: string;
  readonly message: z.ZodType;
  readonly fifo: boolean;
  /** Seconds until a message that is not acknowledged is delivered again. */
  readonly visibilitySeconds: number;
  readonly maxReceives: number;
  /** Where a message goes after its last receive; a queue without one is itself a dead-letter queue. */
  readonly deadLetters?: string;
};

const CrawlSlice = z.object({ siteId: z.string(), jobId: z.string(), slice: z.int().min(0) });

const EmbedLater = z.object({
  siteId: z.string(),
  generation: z.int(),
  urls: z.array(z.string()),
  attempt: z.int().min(0),
});

const IndexMove = z.object({ slice: z.int() });

const SiteCleanUp = z.object({ siteId: z.string() });

export const queues = {
  crawl: {
    summary: 'A slice of a crawl without a browser',
    worker: 'crawl-slice',
    message: CrawlSlice,
    fifo: true,
    visibilitySeconds: 120,
    maxReceives: 5,
    deadLetters: 'crawl-dead',
  },
  'crawl-dead': {
    summary: 'Slices that failed five times: their jobs fail and their sites are freed',
    worker: 'crawl-dead',
    message: CrawlSlice,
    fifo: true,
    visibilitySeconds: 120,
    maxReceives: 1000,
  },
  'embed-pages': {
    summary: 'Ingested pages whose vectors are to be added: the embedder was away',
    worker: 'embed-pages',
    message: EmbedLater,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'embed-pages-dead',
  },
  'embed-pages-dead': {
    summary: 'Pages that failed twenty times to have their vectors added: they are found by their words',
    message: EmbedLater,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 1000,
  },
  'move-index': {
    summary: 'A slice of the move of all pages to another index: the embedding model was changed, or an index was lost',
    worker: 'move-index',
    message: IndexMove,
    fifo: true,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'move-index-dead',
  },
  'move-index-dead': {
    summary: 'Slices of a move that failed twenty times; the watchdog sends the move again',
    message: IndexMove,
    fifo: true,
    visibilitySeconds: 120,
    maxReceives: 1000,
  },
  'clean-up': {
    summary: 'Removes what is left of a deleted site',
    worker: 'clean-up-site',
    message: SiteCleanUp,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 20,
    deadLetters: 'clean-up-dead',
  },
  'clean-up-dead': {
    summary: 'Clean-ups that failed twenty times, kept for a person to look at',
    message: SiteCleanUp,
    fifo: false,
    visibilitySeconds: 120,
    maxReceives: 1000,
  },
} as const satisfies Record<string, QueueDefinition>;

export type QueueName = keyof typeof queues;
