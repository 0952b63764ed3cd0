import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { siteQuery } from '../../api.ts';
import { Stack } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Select } from '../../components/field.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useSearchesTexts } from '../../texts/searches.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { LENGTHS, RANGES, type SearchesAddress } from './address.ts';
import { Answers } from './answers.tsx';
import { ContentGaps } from './content-gaps.tsx';
import { DayCharts, Totals } from './day-charts.tsx';
import { LowScores } from './low-scores.tsx';
import { type Analytics, analyticsQuery } from './queries.ts';
import { NothingFound, TopQueries } from './query-lists.tsx';
import styles from './searches.module.css';

/** What visitors searched, what they did not find, and what they opened. */
export function SearchesScreen() {
  const { siteId } = useParams({ from: '/sites/$siteId/searches' });
  const address = useSearch({ from: '/sites/$siteId/searches' });
  const navigate = useNavigate({ from: '/sites/$siteId/searches' });
  const { range = '30d', entries = '10' } = address;
  const t = useSearchesTexts();
  const shell = useShellTexts();
  const site = useQuery(siteQuery(siteId));
  const query = useQuery(analyticsQuery(siteId, range));
  const move = (changed: SearchesAddress) => void navigate({ search: { ...address, ...changed }, replace: true });
  const choices = (
    <div className={styles.choices}>
      <Select
        label={t.period}
        value={range}
        choices={RANGES.map((value) => ({ value, label: t.ranges[value] }))}
        onChange={(next) => move({ range: next })}
      />
      <Select
        label={t.entries}
        value={entries}
        choices={LENGTHS.map((value) => ({ value, label: value }))}
        onChange={(next) => move({ entries: next })}
      />
    </div>
  );
  return (
    <>
      <ScreenHeader title={shell.searches} lead={site.data?.name} actions={choices} />
      <Loaded query={query} skeleton={<Skeleton of="block" lines={5} />}>
        {(analytics) =>
          isEmpty(analytics) ? (
            <Empty title={t.nothingYet}>
              <p>{t.nothingYetAdvice}</p>
            </Empty>
          ) : (
            <Stack>
              <Totals analytics={analytics} siteId={siteId} range={range} />
              <DayCharts analytics={analytics} />
              <div className={styles.lists}>
                <TopQueries siteId={siteId} range={range} entries={Number(entries)} />
                <NothingFound siteId={siteId} analytics={analytics} />
              </div>
              <LowScores siteId={siteId} range={range} entries={Number(entries)} />
              <ContentGaps
                siteId={siteId}
                range={range}
                entries={Number(entries)}
                kind={address.gaps}
                onKind={(kind) => void navigate({ search: withoutGaps(address, kind), replace: true })}
              />
              <Answers siteId={siteId} analytics={analytics} />
            </Stack>
          )
        }
      </Loaded>
    </>
  );
}

function withoutGaps({ gaps: _, ...others }: SearchesAddress, kind: SearchesAddress['gaps']): SearchesAddress {
  return kind === undefined ? others : { ...others, gaps: kind };
}

const isEmpty = ({ totalSearches, totalChats, clicks, feedback }: Analytics): boolean =>
  totalSearches + totalChats + (clicks?.total ?? 0) + (feedback?.helpful ?? 0) + (feedback?.unhelpful ?? 0) === 0;
