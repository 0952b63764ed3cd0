import styles from './chart.module.css';
import { HEIGHT, MARGIN } from './plot.tsx';
import { shownLabels } from './scale.ts';

type Props = {
  readonly width: number;
  readonly marks: readonly number[];
  readonly y: (value: number) => number;
  readonly x: (index: number) => number;
  readonly labels: readonly string[];
  readonly format: (value: number) => string;
};

const LABEL_WIDTH = 62;

/** The lines of the values, with their numbers, and as many labels as fit below. */
export function Axes({ width, marks, y, x, labels, format }: Props) {
  const shown = shownLabels(labels.length, width - MARGIN.left - MARGIN.right, LABEL_WIDTH);
  return (
    <>
      {marks.map((mark) => (
        <g key={mark}>
          <line className={styles.grid} x1={MARGIN.left} x2={width - MARGIN.right} y1={y(mark)} y2={y(mark)} />
          <text className={styles.tick} x={MARGIN.left - 8} y={y(mark) + 4} textAnchor="end">
            {format(mark)}
          </text>
        </g>
      ))}
      {labels.map(
        (label, index) =>
          shown.has(index) && (
            <text
              key={label}
              className={styles.tick}
              x={x(index)}
              y={HEIGHT - 6}
              textAnchor={anchorAt(x(index), width)}
            >
              {label}
            </text>
          ),
      )}
    </>
  );
}

/** Keeps the text within the drawing. */
const anchorAt = (x: number, width: number): 'start' | 'middle' | 'end' => {
  if (x < LABEL_WIDTH / 2) return 'start';
  return x > width - LABEL_WIDTH / 2 ? 'end' : 'middle';
};
