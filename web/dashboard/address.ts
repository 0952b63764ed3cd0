/** The values of an address as it was typed: all are texts, and none is checked. */
export type GivenSearch = Readonly<Record<string, unknown>>;

/** A text of the address; undefined if it is missing or empty. */
export function textIn(given: GivenSearch, name: string): string | undefined {
  const value = given[name];
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** A value of the address that must be one of a list; undefined if it is another. */
export function oneOf<const Choice extends string>(
  given: GivenSearch,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === given[name]);
}

/** A whole number of the address within bounds; undefined if it is none. */
export function integerIn(given: GivenSearch, name: string, min: number, max: number): number | undefined {
  const text = textIn(given, name);
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** The pairs of an address: `?outcome=failed&q=prices`. All values are texts. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

/** The reverse of `parseSearch`. Leaves out what is undefined, empty or false. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
