/** The words of a list that is written as one string with spaces between them. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
