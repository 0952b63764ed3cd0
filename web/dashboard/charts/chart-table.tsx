import type { ReactNode } from 'react';
import { useChartTexts } from '../texts/charts.ts';
import styles from './chart.module.css';

export type ChartRow = { readonly name: string; readonly values: readonly ReactNode[] };

type Props = {
  readonly caption: string;
  /** The heading of the first column, then those of the values. */
  readonly columns: readonly string[];
  readonly rows: readonly ChartRow[];
};

/** The data of a chart, behind a disclosure. */
export function ChartTable({ caption, columns, rows }: Props) {
  const t = useChartTexts();
  return (
    <details className={styles.disclosure}>
      <summary>{t.showAsTable}</summary>

      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption className="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, index) => (
                  <td key={columns[index + 1]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
