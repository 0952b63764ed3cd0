import { type ReactNode, useId } from 'react';
import styles from './chart.module.css';
import { ChartTable } from './chart-table.tsx';

export type Bar = {
  readonly name: string;
  readonly value: number;
  /** Shown in place of the name: a link, for example. */
  readonly label?: ReactNode;
  /** More about it, below the name. */
  readonly more?: ReactNode;
};

type Props = {
  readonly title: string;
  readonly note?: string | undefined;
  /** The level of the heading. @default 'h3' */
  readonly heading?: 'h2' | 'h3';
  readonly nameHeading: string;
  readonly valueHeading: string;
  readonly bars: readonly Bar[];
  readonly format: (value: number) => string;
  /** The value of a whole bar. @default the greatest value */
  readonly whole?: number;
  /** Shown in place of the bars if there are none. */
  readonly empty: ReactNode;
};

/** Bars with their names and values as text, longest first if they are given so. */
export function BarList({ title, note, heading: Heading = 'h3', nameHeading, valueHeading, bars, ...props }: Props) {
  const { format, whole, empty } = props;
  const id = useId();
  const full = Math.max(whole ?? 0, ...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption className={styles.head}>
        <Heading id={id}>{title}</Heading>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </figcaption>
      {bars.length === 0 && <p className={styles.empty}>{empty}</p>}
      {bars.length > 0 && (
        <ol className={styles.bars}>
          {bars.map(({ name, value, label, more }) => (
            <li key={name}>
              <span className={styles.name}>{label ?? name}</span>
              <span className={styles.value}>{format(value)}</span>
              <svg className={styles.track} aria-hidden="true" focusable="false">
                <rect className={styles.bar} width={`${(100 * Math.max(0, value)) / full}%`} height="100%" rx="3" />
              </svg>
              {more !== undefined && <span className={styles.more}>{more}</span>}
            </li>
          ))}
        </ol>
      )}
      {bars.length > 0 && (
        <ChartTable
          caption={title}
          columns={[nameHeading, valueHeading]}
          rows={bars.map(({ name, value }) => ({ name, values: [format(value)] }))}
        />
      )}
    </figure>
  );
}
