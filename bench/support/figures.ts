/** Figures by the name of the measurement, then by their own name. */
export type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Prints a table, or sends it to the process that runs the bench on both engines. */
export function report(figures: Figures): void {
  if (process.send) process.send(figures);
  else console.table(figures);
}
