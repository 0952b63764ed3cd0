import type { ReactNode } from 'react';
import styles from './table.module.css';

export type Column<Row> = {
  /** The heading of the column. On a phone it is shown before the value. */
  readonly name: string;
  readonly value: (row: Row) => ReactNode;
  /** Numbers are aligned at their end. A wide column holds URLs, one of text some words on a line. */
  readonly kind?: 'number' | 'wide' | 'text' | 'actions';
};

type TableProps<Row> = {
  /** What the table shows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
};

/** A table. On a narrow screen each row is a card. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className={styles.table}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, kind }) => (
            <th key={name} scope="col" className={kind && styles[kind]}>
              {kind === 'actions' ? <span className="unseen">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <Cell key={column.name} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type CellProps<Row> = { readonly column: Column<Row>; readonly row: Row };

/** A cell without a value takes no room on a narrow screen. */
function Cell<Row>({ column: { name, kind, value }, row }: CellProps<Row>) {
  const content = value(row);
  const isEmpty = content === undefined || content === null || content === false || content === '';
  return (
    <td className={kind && styles[kind]} data-name={name}>
      {!isEmpty && <div>{content}</div>}
    </td>
  );
}
