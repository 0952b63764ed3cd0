/** Returns round values from 0 to at least `greatest`, which an axis names: at most six. */
export function ticks(greatest: number, isWhole = false): readonly number[] {
  if (!(greatest > 0)) return [0, 1];
  const rough = greatest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const used = isWhole ? Math.max(1, Math.ceil(step)) : step;
  const count = Math.ceil(greatest / used - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => rounded(index * used));
}

const rounded = (value: number): number => Number(value.toPrecision(12));

/** Returns which of `count` labels, each of `labelWidth`, an axis of a width can show: the last one in any case. */
export function shownLabels(count: number, width: number, labelWidth: number): ReadonlySet<number> {
  const step = Math.max(1, Math.ceil((count * labelWidth) / Math.max(width, 1)));
  return new Set(Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step));
}
