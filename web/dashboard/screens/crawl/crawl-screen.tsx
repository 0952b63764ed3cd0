import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { hasEnded, jobQuery, jobsQuery, LIVE_MS, type Schemas, schedulesQuery, siteQuery } from '../../api.ts';
import { Card, Stack } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Pager } from '../../components/pager.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../formats.ts';
import { totalsOf } from '../../outcomes.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';
import { CancelCrawl } from './cancel-crawl.tsx';
import { HealthCard } from './health-card.tsx';
import { JobProgress } from './job-progress.tsx';
import { JobState } from './job-state.tsx';
import { OutcomeSummary } from './outcome-table.tsx';
import { StartCrawl } from './start-crawl.tsx';

const route = getRouteApi('/sites/$siteId/crawl');

/** The crawls of a site: the one that runs, the earlier ones, and what is wrong with the site. */
export function CrawlScreen() {
  const t = useCrawlTexts();
  const { siteId } = route.useParams();
  const { cursor } = route.useSearch();
  const navigate = useNavigate();
  const site = useQuery(siteQuery(siteId));
  const jobs = useQuery({ ...jobsQuery(siteId, cursor), refetchInterval: 5 * LIVE_MS });
  const [newest] = cursor === undefined ? (jobs.data?.jobs ?? []) : [];
  return (
    <>
      <ScreenHeader
        title={t.title}
        lead={site.data && <SiteLead site={site.data} />}
        actions={<StartCrawl siteId={siteId} />}
      />
      <Stack>
        {newest && !hasEnded(newest) && <RunningCard jobId={newest.jobId} />}
        <Card title={t.history} lead={<ScheduleLine siteId={siteId} />}>
          <Loaded query={jobs} skeleton={<Skeleton of="rows" lines={5} />}>
            {(list) =>
              list.jobs.length === 0 ? (
                <Empty title={t.noCrawl}>{t.noCrawlAdvice}</Empty>
              ) : (
                <Stack>
                  <JobTable jobs={list.jobs} />
                  <Pager
                    cursor={cursor}
                    nextCursor={list.nextCursor}
                    onMove={(next) =>
                      void navigate({ to: '/sites/$siteId/crawl', params: { siteId }, search: { cursor: next } })
                    }
                  />
                </Stack>
              )
            }
          </Loaded>
        </Card>
        <HealthCard siteId={siteId} />
      </Stack>
    </>
  );
}

function SiteLead({ site }: { readonly site: Schemas['Site'] }) {
  return (
    <>
      {site.name} · <a href={site.baseUrl}>{site.baseUrl}</a>
    </>
  );
}

function RunningCard({ jobId }: { readonly jobId: string }) {
  const t = useCrawlTexts();
  const { data: job } = useQuery(jobQuery(jobId));
  if (!job || hasEnded(job)) return null;
  return (
    <Card title={t.running} actions={<CancelCrawl job={job} />}>
      <Stack>
        <JobProgress job={job} />
        <Link to="/sites/$siteId/crawl/$jobId" params={{ siteId: job.siteId, jobId }}>
          {t.open}
        </Link>
      </Stack>
    </Card>
  );
}

function ScheduleLine({ siteId }: { readonly siteId: string }) {
  const t = useCrawlTexts();
  const { data } = useQuery(schedulesQuery(siteId));
  const [schedule] = data?.schedules ?? [];
  if (!data) return <>…</>;
  if (!schedule?.enabled) return <>{t.noSchedule}</>;
  return (
    <>
      {t.nextCrawl} <Time seconds={schedule.nextStartAt} />
    </>
  );
}

function JobTable({ jobs }: { readonly jobs: readonly Schemas['CrawlJob'][] }) {
  const t = useCrawlTexts();
  const { number, duration } = useFormats();
  const columns: readonly Column<Schemas['CrawlJob']>[] = [
    {
      name: t.started,
      value: ({ siteId, jobId, createdAt }) => (
        <Link to="/sites/$siteId/crawl/$jobId" params={{ siteId, jobId }}>
          <Time seconds={createdAt} />
        </Link>
      ),
    },
    { name: t.state, value: (job) => <JobState job={job} /> },
    { name: t.urls, kind: 'number', value: ({ pagesDiscovered }) => number(pagesDiscovered) },
    { name: t.result, kind: 'wide', value: ({ outcomes }) => <OutcomeSummary totals={totalsOf(outcomes)} /> },
    {
      name: t.took,
      kind: 'number',
      value: ({ startedAt, createdAt, completedAt }) =>
        completedAt === null ? '…' : duration(completedAt - (startedAt ?? createdAt)),
    },
  ];
  return <Table caption={t.history} columns={columns} rows={jobs} keyOf={({ jobId }) => jobId} />;
}
