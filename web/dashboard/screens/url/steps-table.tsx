import type { ReactNode } from 'react';
import type { Schemas } from '../../api.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TONE } from '../../outcomes.ts';
import { useOutcomeTexts } from '../../texts/outcomes.ts';
import { useUrlTexts } from '../../texts/url.ts';

type Step = Pick<Schemas['JobPage'], 'url' | 'outcome' | 'reason' | 'status' | 'target'>;

type StepsTableProps<Row extends Step> = {
  readonly caption: string;
  readonly rows: readonly Row[];
  /** The first column: the URL, or the crawl. */
  readonly first: { readonly name: string; readonly value: (row: Row) => ReactNode };
};

/** Outcomes of a URL with their reasons. */
export function StepsTable<Row extends Step>({ caption, rows, first }: StepsTableProps<Row>) {
  const t = useUrlTexts();
  const words = useOutcomeTexts();
  const columns: readonly Column<Row>[] = [
    { ...first, kind: 'wide' },
    {
      name: t.outcome,
      value: ({ outcome }) => outcome && <StatusBadge tone={TONE[outcome]}>{words.outcomes[outcome]}</StatusBadge>,
    },
    { name: t.reason, kind: 'text', value: ({ reason }) => reason && words.reasons[reason] },
    { name: t.status, kind: 'number', value: ({ status }) => status },
    { name: t.leadsTo, kind: 'wide', value: ({ target }) => target },
  ];
  return <Table caption={caption} columns={columns} rows={rows} keyOf={(row) => `${rows.indexOf(row)}`} />;
}
