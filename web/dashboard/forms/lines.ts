/** The entries of a list that a text names one a line. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const textOf = (lines: readonly string[] | undefined): string => (lines ?? []).join('\n');

/** A number as it was typed; null for none. What is no number is sent as it is, and the service says so at its field. */
export function numberIn(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed.replace(',', '.'));
  return Number.isFinite(value) ? value : (trimmed as unknown as number);
}

/** The same for a field that cannot be cleared: without a value it is left out. */
export const neededNumber = (text: string, before: number): number => numberIn(text) ?? before;
