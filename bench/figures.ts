/** Figures by the name of what was measured, then by their own. */
export type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Prints a table, or hands it to the process that runs the bench on both engines. */
export function tell(figures: Figures): void {
  if (process.send) process.send(figures);
  else console.table(figures);
}
