import { Axes } from './axes.tsx';
import styles from './chart.module.css';
import { HEIGHT, MARGIN, Plot, type PlotProps } from './plot.tsx';
import { ticks } from './scale.ts';

type Props = Omit<PlotProps, 'series'> & {
  /** The name of the values, and one for each label. */
  readonly name: string;
  readonly values: readonly number[];
  /** The values are counts: the axis has no fractions. @default false */
  readonly isWhole?: boolean;
};

const GAP = 0.18;

/** A distribution: one column for each range or day. */
export function ColumnChart({ name, values, isWhole = false, ...plot }: Props) {
  const { labels, shortLabels, format } = plot;
  const marks = ticks(Math.max(0, ...values), isWhole);
  const top = marks.at(-1) ?? 1;
  const position = (index: number) => (index + 0.5) / labels.length;
  const y = (value: number) => HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  return (
    <Plot
      {...plot}
      series={[{ name, values }]}
      position={position}
      draw={({ width, active }) => {
        const inner = width - MARGIN.left - MARGIN.right;
        const step = inner / Math.max(1, labels.length);
        const x = (index: number) => MARGIN.left + position(index) * inner;
        const columnWidth = Math.max(1, step * (1 - GAP));
        return (
          <>
            <Axes width={width} marks={marks} x={x} y={y} labels={shortLabels ?? labels} format={format} />
            {values.map((value, index) => (
              <rect
                key={labels[index]}
                className={styles.column}
                data-active={index === active}
                x={x(index) - columnWidth / 2}
                y={y(value)}
                width={columnWidth}
                height={Math.max(0, y(0) - y(value))}
              />
            ))}
          </>
        );
      }}
    />
  );
}
