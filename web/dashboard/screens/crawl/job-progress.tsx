import { useEffect, useRef, useState } from 'react';
import { LIVE_MS, type Schemas } from '../../api.ts';
import { Progress } from '../../components/progress.tsx';
import { useFormats } from '../../formats.ts';
import { endedUrls } from '../../outcomes.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';
import styles from './crawl.module.css';

type Sample = { readonly at: number; readonly ended: number };

/** How many of the newest states the rate is measured over. */
const MAX_SAMPLES = 12;
const MIN_SAMPLES = 4;

/** The live bar of a crawl that waits or runs: how far it is, how fast, and how long it will take. */
export function JobProgress({ job }: { readonly job: Schemas['CrawlJob'] }) {
  const t = useCrawlTexts();
  const { number, decimal, duration } = useFormats();
  const ended = endedUrls(job.outcomes);
  const rate = useRate(ended);
  const queued = Math.max(0, job.pagesDiscovered - ended);
  if (job.status === 'pending')
    return (
      <div className={styles.progress}>
        <Progress label={t.progress} share={undefined} />
        <p>{t.waiting}</p>
      </div>
    );
  const time = rate === undefined || rate === 0 ? t.estimating : t.remaining(duration(Math.ceil(queued / rate)));
  return (
    <div className={styles.progress}>
      <Progress label={t.progress} share={job.pagesDiscovered > 0 ? ended / job.pagesDiscovered : undefined} />
      <p>
        <strong>{t.progressLine(number(ended), number(job.pagesDiscovered))}</strong>
        {rate !== undefined &&
          ` · ${t.rate(rate < 10 ? decimal(Math.round(10 * rate) / 10) : number(Math.round(rate)))}`}
        {` · ${time}`}
      </p>
      <p className={styles.current}>{job.currentUrl !== undefined && `${t.current} ${job.currentUrl}`}</p>
    </div>
  );
}

/** URLs per second over the last seconds; undefined until there are enough of them. */
function useRate(ended: number): number | undefined {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const current = useRef(ended);
  current.current = ended;
  useEffect(() => {
    const take = () =>
      setSamples((known) => [...known.slice(1 - MAX_SAMPLES), { at: performance.now(), ended: current.current }]);
    const timer = setInterval(take, LIVE_MS);
    return () => clearInterval(timer);
  }, []);
  const [oldest, newest] = [samples[0], samples.at(-1)];
  if (!oldest || !newest || samples.length < MIN_SAMPLES) return undefined;
  return (1000 * (newest.ended - oldest.ended)) / (newest.at - oldest.at);
}
