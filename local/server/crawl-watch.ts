import { table } from '#adapters/table';
import { type CrawlJob, hasEnded, isSweep, readJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { outcomesView } from '../../lambdas/domain/crawl/jobs/outcome-counts.ts';
import { readSite } from '../../lambdas/domain/sites/site.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { adviceOf, endWords, progressWords, startWords } from './crawl-words.ts';
import { terminal } from './terminal.ts';

const INTERVAL_MS = 500;
/** The number of samples from which the rate is computed. */
const MAX_SAMPLES = 10;

type Sample = { readonly at: number; readonly answered: number };
type Watched = { readonly site: string; readonly samples: Sample[] };

/** Shows crawls on the terminal: a line at the start and the end of each, and a progress line that is updated. */
export class CrawlWatch {
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;

  /** Adds a job. Call it whenever a worker starts to work on one. */
  add(jobId: string): void {
    if (!this.#watched.has(jobId)) this.#watched.set(jobId, { site: '', samples: [] });
    this.#timer ??= setInterval(() => void this.#look(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    terminal.progress('');
  }

  async #look(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const lines = await Promise.all([...this.#watched.keys()].map((jobId) => this.#progressOf(jobId)));
      const [first, ...more] = lines.filter((line) => line !== '');
      terminal.progress(first === undefined ? '' : more.length > 0 ? `${first} · ${more.length} more crawls` : first);
    } catch (error) {
      log('debug', 'the progress of crawls cannot be read', { error });
    } finally {
      this.#isReading = false;
    }
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Returns the progress of a job. Empty for a job that has ended or not started. */
  async #progressOf(jobId: string): Promise<string> {
    const job = await readJob(jobId, table);
    if (!job || isSweep(job)) {
      this.#watched.delete(jobId);
      return '';
    }
    const known = this.#watched.get(jobId);
    if (!known) return '';
    const watched = known.site === '' ? await this.#begun(job) : known;
    if (hasEnded(job)) {
      this.#watched.delete(jobId);
      ended(watched.site, job);
      return '';
    }
    return progressWords(watched.site, job, rateOf(watched.samples, job));
  }

  async #begun(job: CrawlJob): Promise<Watched> {
    const site = (await readSite(job.siteId, table))?.settings.name ?? job.siteId;
    const watched = { site, samples: [] };
    this.#watched.set(job.jobId, watched);
    const { jobId, siteId, baseUrl, config } = job;
    const { maxPages, maxDepth } = config;
    terminal.say(startWords(site, job)) || log('info', 'crawl started', { jobId, siteId, baseUrl, maxPages, maxDepth });
    return watched;
  }
}

function ended(site: string, job: CrawlJob): void {
  const advice = adviceOf(job);
  const isSaid = terminal.say([endWords(site, job), ...advice.map((line) => `  ${line}`)].join('\n'));
  if (isSaid) return;
  const { jobId, siteId, status, endReason, createdAt, completedAt = createdAt } = job;
  const seconds = completedAt - createdAt;
  const fields = { jobId, siteId, status, endReason, seconds, outcomes: outcomesView(job), advice };
  log(advice.length > 0 ? 'warn' : 'info', 'crawl ended', fields);
}

/** Returns the pages per second between the oldest and the newest sample. */
function rateOf(samples: Sample[], { answered }: CrawlJob): number {
  samples.push({ at: performance.now(), answered });
  if (samples.length > MAX_SAMPLES) samples.shift();
  const [oldest, newest] = [samples[0], samples.at(-1)];
  if (!oldest || !newest || newest.at <= oldest.at) return 0;
  return (1000 * (newest.answered - oldest.answered)) / (newest.at - oldest.at);
}
