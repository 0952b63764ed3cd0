import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hasEnded, jobQuery, queryClient, type Schemas, siteQuery } from '../../api.ts';
import { buttonClass } from '../../components/button.tsx';
import { Card, Figures, Stack } from '../../components/card.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Notice } from '../../components/notice.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../formats.ts';
import { totalsOf } from '../../outcomes.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';
import type { JobAddress } from './address.ts';
import { CancelCrawl } from './cancel-crawl.tsx';
import { DryRunCard } from './dry-run-card.tsx';
import { JobProgress } from './job-progress.tsx';
import { JobState } from './job-state.tsx';
import { JobUrls } from './job-urls.tsx';
import { OutcomeSummary, OutcomeTable } from './outcome-table.tsx';
import { StartCrawl } from './start-crawl.tsx';

const route = getRouteApi('/sites/$siteId/crawl/$jobId');

/** One crawl: live while it runs, then its outcomes and URLs. */
export function JobScreen() {
  const t = useCrawlTexts();
  const { siteId, jobId } = route.useParams();
  const address = route.useSearch();
  const site = useQuery(siteQuery(siteId));
  const query = useQuery(jobQuery(jobId));
  const job = query.data;
  const isOver = job !== undefined && hasEnded(job);
  useEffect(() => {
    // The states of the site and of its list were read while the crawl ran.
    if (isOver) void queryClient.invalidateQueries({ queryKey: ['site', siteId], refetchType: 'active' });
    if (isOver) void queryClient.invalidateQueries({ queryKey: ['sites'] });
  }, [isOver, siteId]);
  return (
    <>
      <ScreenHeader
        title={t.title}
        lead={
          <>
            <Link to="/sites/$siteId/crawl" params={{ siteId }}>
              {site.data?.name ?? '…'}
            </Link>
            {job && ' · '}
            {job && <Time seconds={job.startedAt ?? job.createdAt} />}
          </>
        }
        actions={job && (hasEnded(job) ? <StartCrawl siteId={siteId} /> : <CancelCrawl job={job} />)}
      />
      <Loaded query={query} skeleton={<Skeleton of="block" lines={3} />}>
        {(data) => (
          <Stack>
            <JobNotices job={data} />
            <JobCard job={data} />
            {data.dryRun && hasEnded(data) && <DryRunCard dryRun={data.dryRun} />}
            <OutcomesCard job={data} address={address} />
            <JobUrls job={data} address={address} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function JobCard({ job }: { readonly job: Schemas['CrawlJob'] }) {
  const t = useCrawlTexts();
  const { number, duration, time } = useFormats();
  const isOver = hasEnded(job);
  const seconds = job.completedAt === null ? undefined : job.completedAt - (job.startedAt ?? job.createdAt);
  return (
    <Card>
      <Stack>
        <div aria-live="polite">
          <JobState job={job} />
        </div>
        {!isOver && <JobProgress job={job} />}
        {isOver && <OutcomeSummary totals={totalsOf(job.outcomes)} />}
        <Figures
          figures={[
            { name: t.discovered, value: number(job.pagesDiscovered) },
            { name: t.visited, value: number(job.pagesCrawled) },
            { name: t.processed, value: number(job.pagesProcessed) },
            { name: t.skippedCount, value: number(job.pagesSkipped) },
            { name: t.errored, value: number(job.pagesErrored) },
            { name: t.removed, value: number(job.pagesRemoved) },
            ...(seconds === undefined || job.completedAt === null
              ? []
              : [{ name: t.took, value: duration(seconds), note: time(job.completedAt) }]),
          ]}
        />
      </Stack>
    </Card>
  );
}

/** What the owner should know or decide. */
function JobNotices({ job }: { readonly job: Schemas['CrawlJob'] }) {
  const t = useCrawlTexts();
  const { number } = useFormats();
  const { siteId, status, endReason, error, warnings = [], pagesHeld = 0, reviewId } = job;
  const left = job.outcomes?.skipped.over_limit ?? 0;
  return (
    <>
      {status === 'failed' && (
        <Notice tone="bad" title={t.failedTitle}>
          <p lang="en">{error}</p>
          <p>{t.failedAdvice}</p>
        </Notice>
      )}
      {status === 'completed' && endReason === 'limit' && (
        <Notice tone="warn" title={t.limitTitle}>
          <p>{error ?? t.limitAdvice(number(left))}</p>
        </Notice>
      )}
      {pagesHeld > 0 && reviewId !== undefined && (
        <Notice tone="warn" title={t.heldTitle(number(pagesHeld))}>
          <p>{t.heldText}</p>
          <Link className={buttonClass()} to="/sites/$siteId/reviews/$reviewId" params={{ siteId, reviewId }}>
            {t.openReview}
          </Link>
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice title={t.warnings}>
          {warnings.map((warning) => (
            <p key={warning} lang="en">
              {warning}
            </p>
          ))}
        </Notice>
      )}
    </>
  );
}

type OutcomesCardProps = { readonly job: Schemas['CrawlJob']; readonly address: JobAddress };

function OutcomesCard({ job, address }: OutcomesCardProps) {
  const t = useCrawlTexts();
  const { siteId, jobId } = job;
  return (
    <Card title={t.outcomesTitle} lead={t.outcomesLead}>
      <OutcomeTable
        outcomes={job.outcomes}
        link={({ outcome, reason }, count) => (
          <Link
            to="/sites/$siteId/crawl/$jobId"
            params={{ siteId, jobId }}
            search={{ ...address, cursor: undefined, outcome, reason }}
            hash="urls"
            resetScroll={false}
            aria-label={t.show(`${count} ${outcome} ${reason ?? ''}`.trim())}
          >
            {count}
          </Link>
        )}
      />
    </Card>
  );
}
