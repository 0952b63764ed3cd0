import type { CrawlJob } from './job.ts';
import type { JobEnd } from './job-end.ts';

/** How a slice ends: with its job, or by handing over to the next slice, which may have another phase. */
export type SliceEnd =
  | { readonly end: JobEnd }
  | { readonly phase?: NonNullable<CrawlJob['phase']>; readonly poisonUrls?: readonly string[] };
