export type Cell = {
  readonly text: string;
  readonly isHeading: boolean;
  readonly columns: number;
  readonly rows: number;
};
type Spanned = { readonly text: string; readonly rows: number };
type Row = { readonly cells: readonly string[]; readonly isHead: boolean };
/** A table's text. `head` is the line that names the columns, counted from 0. */
export type TableText = { readonly text: string; readonly head?: number };
type TableCells = { readonly rows: readonly (readonly string[])[]; readonly head?: number };

export const CELL_SEPARATOR = ' | ';
/** Longest text of a cell, in characters, that is repeated in each row or column that the cell spans. */
const MAX_REPEATED_LENGTH = 60;
/** Characters that the cells of a table may repeat, so that hostile spans cannot multiply a page. */
const MAX_REPEATED = 20_000;

/** Collects the rows of a table. A cell that spans rows or columns is repeated, so that each row is complete. */
export class TableRows {
  readonly #rows: Row[] = [];
  /** For each column: the text that a cell above puts into the next rows. */
  #above: readonly (Spanned | undefined)[] = [];
  #room = MAX_REPEATED;

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /**
   * Adds a row. A row in the table's head, or with only headings, names the columns if it comes before all other rows.
   */
  add(cells: readonly Cell[], isInHead: boolean): void {
    const isHead = cells.length > 1 && (isInHead || hasHeadingsAlone(cells));
    const texts: string[] = [];
    const below: Spanned[] = [];
    const put = (text: string, again: string, rows: number): void => {
      if (rows > 0) below[texts.length] = { text: again, rows };
      texts.push(text);
    };
    const putFromAbove = (): void => {
      for (let above = this.#above[texts.length]; above && this.#spend(above.text); above = this.#above[texts.length])
        put(above.text, above.text, above.rows - 1);
    };
    for (const { text, columns, rows, isHeading } of cells) {
      const again = text.length <= MAX_REPEATED_LENGTH ? text : '';
      // A heading over several columns is repeated in each; a value is written once.
      const beside = isHead && isHeading ? again : '';
      putFromAbove();
      put(text, again, rows - 1);
      for (let i = 1; i < columns && this.#spend(beside); i++) put(beside, beside, rows - 1);
    }
    putFromAbove();
    this.#above = below;
    const width = texts.findLastIndex((text) => text !== '') + 1;
    if (width > 0) this.#rows.push({ cells: texts.slice(0, width), isHead });
  }

  #spend(text: string): boolean {
    this.#room -= text.length + CELL_SEPARATOR.length;
    return this.#room >= 0;
  }

  /** Returns one line for each row. The rows that name the columns become one line. */
  end(): TableText {
    const { rows, ...head } = this.endCells();
    return { text: rows.map((cells) => cells.join(CELL_SEPARATOR)).join('\n'), ...head };
  }

  /** Returns the cells of each row. The rows that name the columns become one row. */
  endCells(): TableCells {
    const rows = this.#rows.splice(0);
    this.#above = [];
    this.#room = MAX_REPEATED;
    const isWide = ({ cells }: Row): boolean => cells.length > 1;
    const head = rows.findIndex(isWide);
    const next = rows.findIndex((row, i) => i >= head && !row.isHead);
    const all = rows.map(({ cells }) => cells);
    if (head < 0 || next <= head || !rows.slice(next).some(isWide)) return { rows: all };
    return { rows: [...all.slice(0, head), columnNames(rows.slice(head, next)), ...all.slice(next)], head };
  }
}

function hasHeadingsAlone(cells: readonly Cell[]): boolean {
  const filled = cells.filter(({ text }) => text !== '');
  return filled.length > 0 && filled.every(({ isHeading }) => isHeading);
}

/** Returns the name of each column. A heading over several columns precedes the heading of each. */
function columnNames(rows: readonly Row[]): readonly string[] {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map(({ cells }) => cells[column] ?? ''))].filter((name) => name !== '').join(' '),
  );
}
