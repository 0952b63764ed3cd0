import { Button } from '../components/button.tsx';
import { Row } from '../components/card.tsx';
import { Notice } from '../components/notice.tsx';
import { Table } from '../components/table.tsx';
import { useFormTexts } from '../texts/forms.ts';
import type { Conflict } from './changes.ts';
import styles from './forms.module.css';

type Props = {
  readonly conflicts: readonly Conflict[];
  readonly names: Readonly<Record<string, string>>;
  readonly onOverwrite: () => void;
  readonly onDiscard: () => void;
};

/** Shows what somebody else has saved meanwhile beside what the form would save, and lets the user decide. */
export function ConflictNotice({ conflicts, names, onOverwrite, onDiscard }: Props) {
  const t = useFormTexts();
  return (
    <div role="alert">
      <Notice tone="warn" title={t.conflictTitle}>
        <p>{t.conflictLead}</p>
        <Table
          caption={t.conflictTitle}
          keyOf={({ path }) => path}
          rows={conflicts}
          columns={[
            { name: t.setting, value: ({ path }) => names[path] ?? path },
            { name: t.before, value: ({ before }) => <Shown value={before} /> },
            { name: t.theirs, value: ({ theirs }) => <Shown value={theirs} /> },
            { name: t.mine, value: ({ mine }) => <Shown value={mine} /> },
          ]}
        />
        <Row>
          <Button onClick={onDiscard}>{t.takeTheirs}</Button>
          <Button kind="danger" onClick={onOverwrite}>
            {t.saveMine}
          </Button>
        </Row>
      </Notice>
    </div>
  );
}

function Shown({ value }: { readonly value: unknown }) {
  const t = useFormTexts();
  if (value === undefined || value === null || value === '') return <>{t.nothing}</>;
  if (Array.isArray(value) && value.length === 0) return <>{t.nothing}</>;
  if (typeof value === 'boolean') return <>{value ? t.on : t.off}</>;
  if (typeof value !== 'object') return <>{String(value)}</>;
  const lines = Array.isArray(value) ? value : [value];
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return <pre className={styles.value}>{text}</pre>;
}
