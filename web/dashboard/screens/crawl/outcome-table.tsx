import type { ReactNode } from 'react';
import type { Schemas } from '../../api.ts';
import { PartsBar } from '../../components/progress.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useFormats } from '../../formats.ts';
import { countsOf, OUTCOMES, type Outcome, type OutcomeCount, TONE } from '../../outcomes.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';
import { useOutcomeTexts } from '../../texts/outcomes.ts';
import styles from './crawl.module.css';

type OutcomeTableProps = {
  readonly outcomes: Schemas['JobOutcomes'] | undefined;
  /** Makes the name of an outcome or reason a link to its URLs. */
  readonly link?: (row: OutcomeCount, name: string) => ReactNode;
  /** Only URLs that are not in the index. */
  readonly isLeftOut?: true;
};

/** The URLs of a crawl by outcome and reason, with what to do about each. */
export function OutcomeTable({ outcomes, link, isLeftOut }: OutcomeTableProps) {
  const t = useCrawlTexts();
  const words = useOutcomeTexts();
  const { number } = useFormats();
  const nameOf = (row: OutcomeCount): string =>
    row.reason === undefined ? words.meaning[row.outcome as keyof typeof words.meaning] : words.reasons[row.reason];
  const columns: readonly Column<OutcomeCount>[] = [
    {
      name: t.outcome,
      value: ({ outcome }) => <StatusBadge tone={TONE[outcome]}>{words.outcomes[outcome]}</StatusBadge>,
    },
    { name: t.count, kind: 'number', value: (row) => (link ? link(row, number(row.count)) : number(row.count)) },
    { name: t.reason, kind: 'text', value: nameOf },
    {
      name: t.whatToDo,
      kind: 'wide',
      value: ({ reason }) => (
        <span className={styles.advice}>{reason === undefined ? t.nothingToDo : words.advice[reason]}</span>
      ),
    },
  ];
  return (
    <Table
      caption={t.outcomesTitle}
      columns={columns}
      rows={countsOf(outcomes).filter(({ outcome }) => !isLeftOut || !IN_INDEX.includes(outcome))}
      keyOf={({ outcome, reason = '' }) => `${outcome} ${reason}`}
    />
  );
}

const IN_INDEX: readonly Outcome[] = ['indexed', 'unchanged'];

/** The outcomes of a crawl as a bar and in words. */
export function OutcomeSummary({ totals }: { readonly totals: Readonly<Record<keyof typeof TONE, number>> }) {
  const words = useOutcomeTexts();
  const { number } = useFormats();
  const parts = OUTCOMES.map((outcome) => ({
    name: words.outcomes[outcome],
    count: totals[outcome],
    tone: TONE[outcome],
  }));
  const shown = parts.filter(({ count }) => count > 0);
  return (
    <div className={styles.summary}>
      <PartsBar parts={parts} />
      <span>{shown.map(({ name, count }) => `${number(count)} ${name.toLowerCase()}`).join(', ')}</span>
    </div>
  );
}
