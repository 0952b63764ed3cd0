import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BarList } from '../../charts/bar-list.tsx';
import { ColumnChart } from '../../charts/column-chart.tsx';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Progress } from '../../components/progress.tsx';
import { useFormats } from '../../formats.ts';
import { useSearchesTexts } from '../../texts/searches.ts';
import type { Range } from './address.ts';
import { SCORED_QUERIES, type Scored, scoresQuery } from './queries.ts';
import { QueryLink } from './query-link.tsx';
import styles from './searches.module.css';

const BUCKETS = 10;
/** Below it, the best page is only probably about the query. */
const LOW = 0.5;

type Props = { readonly siteId: string; readonly range: Range; readonly entries: number };

/** Frequent queries of which the best page has a low score, as they are found now. */
export function LowScores({ siteId, range, entries }: Props) {
  const t = useSearchesTexts();
  const [share, setShare] = useState(0);
  const query = useQuery(scoresQuery(siteId, range, setShare));
  const waiting = (
    <div className={styles.waiting}>
      <p>{t.scoring}</p>
      <Progress label={t.scoring} share={share} />
    </div>
  );
  return (
    <Card title={t.lowScores} lead={t.lowScoresLead(SCORED_QUERIES)}>
      <Loaded query={query} skeleton={waiting}>
        {(scored) => (
          <div className={styles.lists}>
            <Distribution scored={scored} />
            <LowList siteId={siteId} scored={scored} entries={entries} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

const bucketOf = ({ score = 0 }: Scored): number => Math.min(BUCKETS - 1, Math.floor(score * BUCKETS));

function Distribution({ scored }: { readonly scored: readonly Scored[] }) {
  const t = useSearchesTexts();
  const { number, decimal } = useFormats();
  const bounds = Array.from({ length: BUCKETS }, (_, index) => [index / BUCKETS, (index + 1) / BUCKETS] as const);
  const searchesIn = (bucket: number) =>
    scored.filter((one) => bucketOf(one) === bucket).reduce((sum, { count }) => sum + count, 0);
  return (
    <ColumnChart
      title={t.scores}
      note={t.scoresNote}
      labelName={t.bestScore}
      labels={bounds.map(([from, to]) => t.between(decimal(from), decimal(to)))}
      shortLabels={bounds.map(([from]) => decimal(from))}
      name={t.searches}
      values={bounds.map((_, bucket) => searchesIn(bucket))}
      format={number}
      isWhole
    />
  );
}

type ListProps = { readonly siteId: string; readonly scored: readonly Scored[]; readonly entries: number };

function LowList({ siteId, scored, entries }: ListProps) {
  const t = useSearchesTexts();
  const { decimal, number } = useFormats();
  const low = scored
    .filter(({ score = 0 }) => score < LOW)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, entries);
  return (
    <BarList
      title={t.lowest}
      nameHeading={t.query}
      valueHeading={t.bestScore}
      whole={1}
      bars={low.map(({ query, count, score = 0, page }) => ({
        name: query,
        value: score,
        label: <QueryLink siteId={siteId} query={query} />,
        more: page ? t.askedBest(number(count), page.title) : t.askedNone(number(count)),
      }))}
      format={(score) => decimal(Math.round(100 * score) / 100)}
      empty={t.noLowScores}
    />
  );
}
