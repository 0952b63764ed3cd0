import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, type Schemas, schedulesQuery, siteQuery } from '../../api.ts';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../formats.ts';
import { useSiteTexts } from '../../texts/sites.ts';
import { OutcomeSummary } from '../crawl/outcome-table.tsx';
import { SiteState } from './site-state.tsx';
import styles from './sites.module.css';

type SiteTableProps = {
  readonly sites: readonly Schemas['SiteSummary'][];
  readonly demoId: string | undefined;
};

/** Sites with what their owner asks first. The list has only their state, so each row asks for the rest. */
export function SiteTable({ sites, demoId }: SiteTableProps) {
  const t = useSiteTexts();
  const { number } = useFormats();
  const columns: readonly Column<Schemas['SiteSummary']>[] = [
    {
      name: t.name,
      kind: 'wide',
      value: ({ siteId, name, baseUrl }) => (
        <>
          <Link to="/sites/$siteId/crawl" params={{ siteId }} className={styles.name}>
            {name}
          </Link>
          {siteId === demoId && !name.includes('demo') && ` (${t.demo})`}
          <span className={styles.note}>{baseUrl}</span>
        </>
      ),
    },
    { name: t.state, value: ({ status }) => <SiteState status={status} /> },
    { name: t.pages, kind: 'number', value: ({ pageCount }) => number(pageCount) },
    { name: t.lastCrawl, value: (site) => <LastCrawl site={site} /> },
    { name: t.searches, value: ({ siteId }) => <Searches siteId={siteId} /> },
    { name: t.schedule, value: ({ siteId }) => <NextCrawl siteId={siteId} /> },
  ];
  return <Table caption={t.title} columns={columns} rows={sites} keyOf={({ siteId }) => siteId} />;
}

function LastCrawl({ site: { siteId, lastCrawledAt } }: { readonly site: Schemas['SiteSummary'] }) {
  const t = useSiteTexts();
  const { data } = useQuery({ ...siteQuery(siteId), enabled: lastCrawledAt !== undefined });
  const last = data?.lastCrawl;
  if (lastCrawledAt === undefined) return <>{t.never}</>;
  return (
    <div className={styles.lastCrawl}>
      {last ? (
        <Link to="/sites/$siteId/crawl/$jobId" params={{ siteId, jobId: last.jobId }}>
          <Time seconds={lastCrawledAt} />
        </Link>
      ) : (
        <Time seconds={lastCrawledAt} />
      )}
      {last && <OutcomeSummary totals={last} />}
    </div>
  );
}

function Searches({ siteId }: { readonly siteId: string }) {
  const t = useSiteTexts();
  const { number } = useFormats();
  const { data } = useQuery({
    queryKey: ['site', siteId, 'analytics', '30d'],
    queryFn: ({ signal }) => call('GET /analytics', { query: { range: '30d', siteId }, signal }),
    staleTime: 60_000,
  });
  if (!data) return <>…</>;
  const none = data.zeroResults?.searches ?? 0;
  return (
    <Link to="/sites/$siteId/searches" params={{ siteId }}>
      {t.searchesNote(number(data.totalSearches - none), number(none))}
    </Link>
  );
}

function NextCrawl({ siteId }: { readonly siteId: string }) {
  const t = useSiteTexts();
  const { data } = useQuery(schedulesQuery(siteId));
  const schedule = data?.schedules.find(({ enabled }) => enabled);
  if (!data) return <>…</>;
  return schedule ? <Time seconds={schedule.nextStartAt} /> : t.noSchedule;
}
