/** What a visitor has chosen of a field: any of some values, or a range. */
export type Choice = readonly string[] | Range;
export type Range = { readonly from?: string; readonly to?: string };
export type Choices = ReadonlyMap<string, Choice>;

export const isList = (choice: Choice | undefined): choice is readonly string[] => Array.isArray(choice);
export const isEmpty = (choice: Choice): boolean => (isList(choice) ? choice.length === 0 : !choice.from && !choice.to);

/** `filter-tags=News`, `from-price=3`, `to-price=5`: parameters that the rest of the page is unlikely to have. */
const PARAMETER = /^(filter|from|to)-(.+)$/;

export function choicesIn(parameters: URLSearchParams): Choices {
  const choices = new Map<string, Choice>();
  for (const [key, value] of parameters) {
    const [, kind, name = ''] = PARAMETER.exec(key) ?? [];
    const before = choices.get(name);
    if (kind === 'filter') choices.set(name, [...(isList(before) ? before : []), value]);
    else if (kind) choices.set(name, { ...before, [kind]: value });
  }
  return choices;
}

export function writeChoices(choices: Choices, parameters: URLSearchParams): void {
  for (const key of [...parameters.keys()]) if (PARAMETER.test(key)) parameters.delete(key);
  for (const [name, choice] of choices) {
    const pairs = isList(choice) ? choice.map((value) => ['filter', value] as const) : Object.entries(choice);
    for (const [kind, value] of pairs) if (value) parameters.append(`${kind}-${name}`, value);
  }
}
