import { Axes } from './axes.tsx';
import styles from './chart.module.css';
import { HEIGHT, MARGIN, Plot, type PlotProps, type Series } from './plot.tsx';
import { ticks } from './scale.ts';

type Props = PlotProps & {
  /** The values are counts: the axis has no fractions. @default false */
  readonly isWhole?: boolean;
};

/** Values over days, one line for each series. A day without a value leaves a gap. */
export function LineChart({ isWhole = false, ...plot }: Props) {
  const { labels, shortLabels, series, format } = plot;
  const marks = ticks(greatestOf(series), isWhole);
  const top = marks.at(-1) ?? 1;
  const position = (index: number) => (labels.length < 2 ? 0.5 : index / (labels.length - 1));
  const y = (value: number) => HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  return (
    <Plot
      {...plot}
      position={position}
      draw={({ width, active }) => {
        const x = (index: number) => MARGIN.left + position(index) * (width - MARGIN.left - MARGIN.right);
        return (
          <>
            <Axes width={width} marks={marks} x={x} y={y} labels={shortLabels ?? labels} format={format} />
            {active !== undefined && (
              <line className={styles.cursor} x1={x(active)} x2={x(active)} y1={MARGIN.top} y2={y(0)} />
            )}
            {series.map(({ name, values }, index) => (
              <g key={name} className={styles.series} data-series={index}>
                <path d={pathOf(values, x, y)} />
                {dotsOf(values, active).map((at) => (
                  <circle key={at} cx={x(at)} cy={y(values[at] ?? 0)} r={at === active ? 4 : 2.5} />
                ))}
              </g>
            ))}
          </>
        );
      }}
    />
  );
}

const greatestOf = (series: readonly Series[]): number =>
  Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));

function pathOf(values: Series['values'], x: (index: number) => number, y: (value: number) => number): string {
  let isDrawing = false;
  return values
    .flatMap((value, index) => {
      const isGap = value === null;
      const command = isDrawing ? 'L' : 'M';
      isDrawing = !isGap;
      return isGap ? [] : `${command}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
}

/** The active value, and those without a neighbour, which no line would show. */
function dotsOf(values: Series['values'], active: number | undefined): readonly number[] {
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined;
  return [...values.keys()].filter(
    (index) => isThere(index) && (index === active || (!isThere(index - 1) && !isThere(index + 1))),
  );
}
