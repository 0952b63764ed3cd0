import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, hasEnded, jobQuery, LIVE_MS, organisationQuery, queryClient, type Schemas } from '../../api.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card, Figures, Stack } from '../../components/card.tsx';
import { Fault, Loaded } from '../../components/fault.tsx';
import { Select } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useFormats } from '../../formats.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { useSiteTexts } from '../../texts/sites.ts';
import { JobProgress } from '../crawl/job-progress.tsx';
import { OutcomeTable } from '../crawl/outcome-table.tsx';
import { startLook } from './address-form.tsx';
import styles from './first-site.module.css';

type LookStepProps = { readonly site: Schemas['Site']; readonly jobId: string };

/** Shows the dry run, live, and then what a crawl would take. */
export function LookStep({ site, jobId }: LookStepProps) {
  const t = useSiteTexts();
  const query = useQuery(jobQuery(jobId));
  return (
    <Card title={t.lookTitle(site.name)} lead={t.lookLead}>
      <Loaded query={query} skeleton={<Skeleton lines={4} />}>
        {(job) =>
          hasEnded(job) ? (
            <LookResult site={site} job={job} />
          ) : (
            <Stack>
              <JobProgress job={job} />
              <StartButtons site={site} look={job} maxPages={undefined} />
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

/** The limits that are offered. The plan may allow fewer pages. */
const LIMITS = [100, 1000, 10_000, 100_000] as const;
const MAX_TRIES = 20;

type LookResultProps = { readonly site: Schemas['Site']; readonly job: Schemas['CrawlJob'] };

function LookResult({ site, job }: LookResultProps) {
  const t = useSiteTexts();
  const { number, duration } = useFormats();
  const { indexed = 0, unchanged = 0 } = job.outcomes ?? {};
  const pages = indexed + unchanged;
  const beyond = job.outcomes?.skipped.over_limit ?? 0;
  const saved = site.crawlerConfig.maxPages;
  const [limit, setLimit] = useState(() => Math.max(saved, limitFor(pages + beyond)));
  if (job.status === 'failed' || pages === 0) return <LookFault site={site} job={job} />;
  const taken = Math.min(limit, pages + beyond);
  return (
    <Stack>
      <div aria-live="polite">
        <Figures
          figures={[
            { name: t.wouldIndex, value: number(taken) },
            { name: t.leftOut, value: number(job.pagesDiscovered - taken) },
            { name: t.takes, value: t.takesAbout(duration(secondsFor(job, taken))) },
          ]}
        />
      </div>
      {beyond > 0 && <Notice tone="warn">{t.moreThanLimit(number(beyond))}</Notice>}
      {pages + beyond > LIMITS[0] && <LimitChoice limit={limit} onChange={setLimit} />}
      <StartButtons site={site} look={job} maxPages={limit === saved ? undefined : limit} />
      <h3>{t.leftOutTitle}</h3>
      {job.pagesDiscovered > pages ? <OutcomeTable outcomes={job.outcomes} isLeftOut /> : <p>{t.nothingLeftOut}</p>}
    </Stack>
  );
}

type LimitChoiceProps = { readonly limit: number; readonly onChange: (limit: number) => void };

function LimitChoice({ limit, onChange }: LimitChoiceProps) {
  const t = useSiteTexts();
  const { number } = useFormats();
  const { data: organisation } = useQuery(organisationQuery());
  const largest = organisation?.quotas.pagesPerSite ?? Number.POSITIVE_INFINITY;
  const counts = [...new Set([...LIMITS.filter((count) => count <= largest), limit])].toSorted((a, b) => a - b);
  return (
    <div className={styles.limit}>
      <Select
        label={t.pageLimit}
        value={String(limit)}
        choices={counts.map((count) => ({ value: String(count), label: t.pageLimitChoice(number(count)) }))}
        onChange={(value) => onChange(Number(value))}
      />
    </div>
  );
}

/** The dry run found no page: says why, and leads back. */
function LookFault({ site, job }: LookResultProps) {
  const t = useSiteTexts();
  const navigate = useNavigate();
  const again = async () =>
    navigate({ to: '/sites/new', search: { site: site.siteId, look: await startLook(site.siteId) } });
  return (
    <Stack>
      <Notice tone="bad" title={t.lookFailed}>
        <p>{job.error ?? t.notFoundAny}</p>
        <div className={styles.buttons}>
          <Button onClick={() => void again()}>{t.lookAgain}</Button>
          <Link to="/sites/new" search={{ site: site.siteId }} className={buttonClass()}>
            {t.otherAddress}
          </Link>
        </div>
      </Notice>
      <OutcomeTable outcomes={job.outcomes} />
    </Stack>
  );
}

type StartButtonsProps = {
  readonly site: Schemas['Site'];
  /** The dry run. One that runs is cancelled first. */
  readonly look: Schemas['CrawlJob'];
  readonly maxPages: number | undefined;
};

function StartButtons({ site, look, maxPages }: StartButtonsProps) {
  const t = useSiteTexts();
  const shell = useShellTexts();
  const navigate = useNavigate();
  const [state, setState] = useState<{ readonly isBusy?: true; readonly error?: unknown }>({});
  const start = async () => {
    setState({ isBusy: true });
    try {
      if (!hasEnded(look)) await endLook(look.jobId);
      const crawl = await startFirstCrawl(site.siteId, maxPages);
      await navigate({ to: '/sites/new', search: { site: site.siteId, crawl } });
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <>
      <div className={styles.buttons}>
        <Button kind={hasEnded(look) ? 'primary' : 'plain'} isBusy={state.isBusy} onClick={() => void start()}>
          {hasEnded(look) ? t.startCrawl : t.skipLook}
        </Button>
        <Link to="/sites/new" search={{ site: site.siteId }} className={buttonClass('quiet')}>
          {t.otherAddress}
        </Link>
      </div>
      {state.error !== undefined && <Fault error={state.error} title={shell.requestFailed} />}
    </>
  );
}

/** Cancels a dry run and waits for its end, because a site has one crawl at a time. */
async function endLook(jobId: string): Promise<void> {
  let job = await call('DELETE /jobs/{jobId}', { path: { jobId } });
  for (let tries = 0; tries < MAX_TRIES && !hasEnded(job); tries++) {
    await new Promise((resolve) => setTimeout(resolve, LIVE_MS));
    job = await call('GET /jobs/{jobId}', { path: { jobId } });
  }
}

/** Starts a crawl. A limit is saved, so that later crawls keep the pages. */
export async function startFirstCrawl(siteId: string, maxPages?: number): Promise<string> {
  if (maxPages !== undefined)
    await call('PUT /sites/{siteId}', { path: { siteId }, body: { crawlerConfig: { maxPages } } });
  const { jobId } = await call('POST /sites/{siteId}/crawl', { path: { siteId } });
  void queryClient.invalidateQueries({ queryKey: ['sites'] });
  void queryClient.invalidateQueries({ queryKey: ['site', siteId] });
  return jobId;
}

/** The smallest limit that holds all pages that are known. */
const limitFor = (pages: number): number => LIMITS.find((count) => count >= pages) ?? 100_000;

/** A crawl fetches as the dry run did, and embeds besides: its time grows with the pages. */
function secondsFor({ startedAt, createdAt, completedAt, pagesCrawled }: Schemas['CrawlJob'], pages: number): number {
  const spent = (completedAt ?? createdAt) - (startedAt ?? createdAt);
  return Math.max(1, Math.ceil((Math.max(1, spent) * pages) / Math.max(1, pagesCrawled)));
}
