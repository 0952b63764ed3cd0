import { type ReactNode, useId, useRef } from 'react';
import { Button } from '../components/button.tsx';
import { useFormTexts } from '../texts/forms.ts';
import styles from './forms.module.css';

/** An entry of a list, with a key of its own, so that the cursor stays where it is when entries before it go. */
export type Keyed<Entry> = Entry & { readonly key: string };

let nextKey = 0;
export const keyed = <Entry extends object>(entry: Entry): Keyed<Entry> => ({ ...entry, key: `row-${nextKey++}` });

type Props<Entry> = {
  readonly legend: string;
  readonly hint?: ReactNode;
  readonly rows: readonly Keyed<Entry>[];
  readonly onChange: (rows: readonly Keyed<Entry>[]) => void;
  readonly newRow: () => Entry;
  readonly addText: string;
  readonly error?: string | undefined;
  /** The controls of an entry. */
  readonly children: (row: Keyed<Entry>, set: (changed: Partial<Entry>) => void, index: number) => ReactNode;
};

/** A list of entries with several controls each. */
export function RowsField<Entry extends object>(props: Props<Entry>) {
  const { legend, hint, rows, onChange, newRow, addText, error, children } = props;
  const t = useFormTexts();
  const id = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  const add = () => {
    onChange([...rows, keyed(newRow())]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-of-type input')?.focus());
  };
  return (
    <fieldset className={styles.rows} ref={list} aria-describedby={hint === undefined ? undefined : id}>
      <legend>{legend}</legend>
      {hint !== undefined && (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
      {rows.length > 0 && (
        <ol>
          {rows.map((row, index) => (
            <li key={row.key} className={styles.entry}>
              <div className={styles.controls}>
                {children(
                  row,
                  (changed) => onChange(rows.map((one) => (one === row ? { ...row, ...changed } : one))),
                  index,
                )}
              </div>
              <Button
                kind="quiet"
                aria-label={t.removeEntry(legend, index + 1)}
                onClick={() => onChange(rows.filter((one) => one !== row))}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <Button onClick={add}>{addText}</Button>
    </fieldset>
  );
}
