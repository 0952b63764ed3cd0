import { useQuery } from '@tanstack/react-query';
import { LineChart } from '../../charts/line-chart.tsx';
import { Card, Figures } from '../../components/card.tsx';
import { useFormats } from '../../formats.ts';
import { useSearchesTexts } from '../../texts/searches.ts';
import type { Range } from './address.ts';
import { type Analytics, usageQuery } from './queries.ts';
import styles from './searches.module.css';

type Props = { readonly analytics: Analytics };
type TotalsProps = Props & { readonly siteId: string; readonly range: Range };

export function Totals({ analytics, siteId, range }: TotalsProps) {
  const { totalSearches, totalChats, zeroResults, clicks, refusals, savedTokens = 0 } = analytics;
  const t = useSearchesTexts();
  const { number, percent, decimal } = useFormats();
  const { data: usage } = useQuery(usageQuery(siteId, range));
  const shareOf = (part: number, whole: number) => (whole === 0 ? t.none : percent(part / whole));
  const empty = zeroResults?.searches ?? 0;
  const refused = refusals?.chats ?? 0;
  return (
    <Card>
      <Figures
        figures={[
          { name: t.searches, value: number(totalSearches) },
          { name: t.nothingFound, value: number(empty), note: shareOf(empty, totalSearches) },
          { name: t.clicks, value: number(clicks?.total ?? 0), note: t.perSearch(percent(clicks?.rate ?? 0)) },
          {
            name: t.meanPosition,
            value: clicks?.meanPosition === null || clicks === undefined ? t.none : decimal(round(clicks.meanPosition)),
            note: t.firstIsBest,
          },
          { name: t.questions, value: number(totalChats) },
          { name: t.notAnswered, value: number(refused), note: shareOf(refused, totalChats) },
          { name: t.tokens, value: usage ? number(usage.totalTokens) : '…', note: t.tokensSaved(number(savedTokens)) },
        ]}
      />
    </Card>
  );
}

const round = (value: number): number => Math.round(100 * value) / 100;

/** Searches and clicks by day. */
export function DayCharts({ analytics: { dailyUsage, dailyOutcomes = [] } }: Props) {
  const t = useSearchesTexts();
  const { number, decimal, date } = useFormats();
  const common = {
    heading: 'h2' as const,
    labelName: t.day,
    labels: dailyUsage.map((day) => date(Date.parse(day.date) / 1000)),
    shortLabels: dailyUsage.map((day) => t.shortDay(day.date)),
  };
  return (
    <div className={styles.lists}>
      <LineChart
        {...common}
        title={t.searchesByDay}
        series={[
          { name: t.searches, values: dailyUsage.map(({ searches }) => searches) },
          { name: t.nothingFound, values: dailyOutcomes.map(({ zeroResults }) => zeroResults) },
          { name: t.clicks, values: dailyOutcomes.map(({ clicks }) => clicks) },
        ]}
        format={number}
        isWhole
      />
      <LineChart
        {...common}
        title={t.positionsByDay}
        note={t.positionsNote}
        series={[
          {
            name: t.meanPosition,
            values: dailyOutcomes.map(({ meanPosition }) => (meanPosition === null ? null : round(meanPosition))),
          },
        ]}
        format={decimal}
      />
    </div>
  );
}
