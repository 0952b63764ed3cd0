import { type PointerEvent, type ReactNode, useId, useState } from 'react';
import { useChartTexts } from '../texts/charts.ts';
import styles from './chart.module.css';
import { ChartTable } from './chart-table.tsx';
import { useWidth } from './use-width.ts';

export const HEIGHT = 180;
export const MARGIN = { top: 12, right: 12, bottom: 24, left: 52 } as const;

export type Series = {
  readonly name: string;
  /** One value for each label; null where there is none. */
  readonly values: readonly (number | null)[];
};

export type PlotProps = {
  readonly title: string;
  readonly note?: string | undefined;
  /** The level of the heading. @default 'h3' */
  readonly heading?: 'h2' | 'h3';
  /** What the labels are: the heading of the table's first column. */
  readonly labelName: string;
  readonly labels: readonly string[];
  /** The labels of the axis, if they are shorter. */
  readonly shortLabels?: readonly string[] | undefined;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
};

type Drawing = { readonly width: number; readonly active: number | undefined };
type Props = PlotProps & {
  /** Where a label is on the axis, from 0 to 1. */
  readonly position: (index: number) => number;
  readonly draw: (drawing: Drawing) => ReactNode;
};

/**
 * The frame of a chart with an axis: legend, drawing, the values at one label, and all of them as a table. The label is
 * chosen by a native slider over the drawing, which keys, pointers and screen readers use.
 */
export function Plot({
  title,
  note,
  heading: Heading = 'h3',
  labelName,
  labels,
  series,
  format,
  position,
  draw,
}: Props) {
  const t = useChartTexts();
  const id = useId();
  const [ref, width] = useWidth<HTMLDivElement>();
  const [chosen, setChosen] = useState<number>();
  const last = labels.length - 1;
  const active = chosen === undefined ? undefined : Math.min(chosen, last);
  const shown = active ?? last;
  const valueAt = (values: Series['values'], index: number): string => {
    const value = values[index];
    return value === null || value === undefined ? t.none : format(value);
  };
  const textAt = (index: number): string =>
    `${labels[index] ?? ''}: ${series.map(({ name, values }) => `${name} ${valueAt(values, index)}`).join(', ')}`;
  const choose = ({ currentTarget, clientX }: PointerEvent): void => {
    const box = currentTarget.getBoundingClientRect();
    const at = (clientX - box.left - MARGIN.left) / Math.max(1, box.width - MARGIN.left - MARGIN.right);
    const nearest = labels.reduce(
      (best, _, index) => (Math.abs(position(index) - at) < Math.abs(position(best) - at) ? index : best),
      0,
    );
    setChosen(nearest);
  };
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption className={styles.head}>
        <Heading id={id}>{title}</Heading>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </figcaption>
      <div className={styles.plot} ref={ref} onPointerMove={choose} onPointerLeave={() => setChosen(undefined)}>
        <svg width={width} height={HEIGHT} aria-hidden="true" focusable="false">
          {draw({ width, active })}
        </svg>
        {last > 0 && (
          <input
            type="range"
            className={styles.slider}
            min={0}
            max={last}
            value={shown}
            aria-label={t.valuesOf(title)}
            aria-valuetext={textAt(shown)}
            onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
            onFocus={() => setChosen(shown)}
            onBlur={() => setChosen(undefined)}
          />
        )}
      </div>
      <p className={styles.readout}>
        <span className={styles.day}>{labels[shown]}</span>
        {series.map(({ name, values }, index) => (
          <span key={name} className={styles.entry}>
            <svg className={styles.swatch} data-series={index} viewBox="0 0 16 8" aria-hidden="true">
              <line x1="0" x2="16" y1="4" y2="4" />
            </svg>
            {name} <strong>{valueAt(values, shown)}</strong>
          </span>
        ))}
      </p>
      <ChartTable
        caption={title}
        columns={[labelName, ...series.map(({ name }) => name)]}
        rows={labels.map((name, index) => ({ name, values: series.map(({ values }) => valueAt(values, index)) }))}
      />
    </figure>
  );
}
