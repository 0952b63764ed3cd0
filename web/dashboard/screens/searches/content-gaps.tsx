import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/fault.tsx';
import { type Choice, Select } from '../../components/field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import { useFormats } from '../../formats.ts';
import { useSearchesTexts } from '../../texts/searches.ts';
import { GAP_KINDS, type GapKind, type Range } from './address.ts';
import { type Gaps, gapsQuery } from './queries.ts';
import { QueryLink } from './query-link.tsx';
import styles from './searches.module.css';

type Gap = Gaps[number];
type Props = {
  readonly siteId: string;
  readonly range: Range;
  readonly entries: number;
  readonly kind: GapKind | undefined;
  readonly onKind: (kind: GapKind | undefined) => void;
};

const countIn = (gap: Gap, kind: GapKind | undefined): number => (kind === undefined ? gap.count : gap[kind]);

/** What visitors looked for and did not find, by meaning. */
export function ContentGaps({ siteId, range, entries, kind, onKind }: Props) {
  const t = useSearchesTexts();
  const query = useQuery(gapsQuery(siteId, range));
  const all: Choice<GapKind | 'all'> = { value: 'all', label: t.allKinds };
  const choices = [all, ...GAP_KINDS.map((value) => ({ value, label: t.gapKinds[value] }))];
  return (
    <Card
      title={t.contentGaps}
      lead={t.contentGapsLead}
      actions={
        <div className={styles.kind}>
          <Select
            label={t.kind}
            value={kind ?? 'all'}
            choices={choices}
            onChange={(chosen) => onKind(chosen === 'all' ? undefined : chosen)}
          />
        </div>
      }
    >
      <Loaded query={query} skeleton={<Skeleton of="rows" lines={5} />}>
        {({ gaps }) => {
          const shown = gaps
            .filter((gap) => countIn(gap, kind) > 0)
            .toSorted((one, other) => countIn(other, kind) - countIn(one, kind))
            .slice(0, entries);
          if (shown.length === 0) return <Empty title={t.noGaps} />;
          return <GapTable siteId={siteId} gaps={shown} />;
        }}
      </Loaded>
    </Card>
  );
}

function GapTable({ siteId, gaps }: { readonly siteId: string; readonly gaps: readonly Gap[] }) {
  const t = useSearchesTexts();
  const { number } = useFormats();
  /** Nothing in place of 0: a table of zeros hides what counts. */
  const countOf = (count: number) => (count === 0 ? '' : number(count));
  return (
    <Table<Gap>
      caption={t.contentGaps}
      keyOf={({ query }) => query}
      rows={gaps}
      columns={[
        {
          name: t.asked,
          kind: 'wide',
          value: ({ query, refused, noResults, examples }) => (
            <>
              <QueryLink siteId={siteId} query={query} isQuestion={refused > noResults} />
              {examples.length > 1 && (
                <details className={styles.examples}>
                  <summary>{t.examples(examples.length - 1)}</summary>
                  <ul>
                    {examples.slice(1).map((example) => (
                      <li key={example.query}>
                        <QueryLink siteId={siteId} query={example.query} /> ({number(example.count)})
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </>
          ),
        },
        { name: t.times, kind: 'number', value: ({ count }) => number(count) },
        { name: t.gapKinds.noResults, kind: 'number', value: ({ noResults }) => countOf(noResults) },
        { name: t.gapKinds.noClick, kind: 'number', value: ({ noClick }) => countOf(noClick) },
        { name: t.gapKinds.refused, kind: 'number', value: ({ refused }) => countOf(refused) },
        {
          name: t.gapKinds.agents,
          kind: 'number',
          value: ({ agents = 0 }) => (agents > 0 ? <StatusBadge tone="busy">{number(agents)}</StatusBadge> : ''),
        },
      ]}
    />
  );
}
