import { mostTokens } from './token-budget.ts';

/** The most tokens of an answer to an owner's agent. */
export const OWNER_TOKENS = 8000;
/** Room for the sentence about what was cut. */
const ROOM = 200;
const MAX_STEPS = 200;
const SHORTEST_TEXT = 100;

/**
 * Returns an answer of the API as JSON text of at most `OWNER_TOKENS`. The longest lists and texts of a larger one are
 * cut, and a sentence after it says so, and which parameters give less at once.
 */
export function fittedAnswer(answer: unknown, parameters: readonly string[]): readonly string[] {
  let shown = answer;
  const isLarge = (): boolean => mostTokens(JSON.stringify(shown)) > OWNER_TOKENS - ROOM;
  if (!isLarge()) return [JSON.stringify(shown)];
  const lengths = new Map<string, { readonly before: number; readonly after: number }>();
  for (let step = 0; isLarge() && step < MAX_STEPS; step++) {
    const { path, value } = largestPart(shown);
    if (value === undefined) break;
    const kept = shortened(value);
    const name = path.join('.');
    shown = replaced(shown, path, kept);
    lengths.set(name, { before: lengths.get(name)?.before ?? value.length, after: kept.length });
  }
  const cuts = [...lengths].map(([name, { before, after }]) => `${name || 'the list'} to ${after} of ${before}`);
  const paging = parameters.filter((name) => PAGING.has(name)).map((name) => `\`${name}\``);
  const advice = paging.length > 0 ? ` For the rest, call the tool again with ${paging.join(' or ')}.` : '';
  return [JSON.stringify(shown), `This answer was too large and was cut: ${cuts.slice(0, 5).join(', ')}.${advice}`];
}

/** Parameters of queries that give less at once, or other parts of a list. */
const PAGING: ReadonlySet<string> = new Set([
  'limit',
  'cursor',
  'search',
  'outcome',
  'reason',
  'url',
  'range',
  'siteId',
]);

type Part = { readonly path: readonly string[]; readonly value: string | readonly unknown[] | undefined };

/** Returns the list or text that has most characters of its own: a list of lists has none but those of its entries. */
function largestPart(value: unknown, path: readonly string[] = []): Part & { readonly size: number } {
  const nothing = { path, value: undefined, size: 0 };
  if (typeof value === 'string') return value.length > SHORTEST_TEXT ? { path, value, size: value.length } : nothing;
  if (typeof value !== 'object' || value === null) return nothing;
  const inner = Object.entries(value)
    .map(([name, part]) => largestPart(part, [...path, name]))
    .reduce((best, part) => (part.size > best.size ? part : best), nothing as Part & { readonly size: number });
  const size = JSON.stringify(value).length;
  if (!Array.isArray(value) || value.length < 2 || inner.size > size / 2) return inner;
  return { path, value, size };
}

const shortened = (value: string | readonly unknown[]): string | readonly unknown[] =>
  typeof value === 'string'
    ? `${[...value.slice(0, Math.ceil(value.length * 0.7))].join('').toWellFormed()}…`
    : value.slice(0, Math.floor(value.length * 0.7));

function replaced(value: unknown, [name, ...rest]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part;
  if (Array.isArray(value)) return value.map((each, i) => (String(i) === name ? replaced(each, rest, part) : each));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [name]: replaced(fields[name], rest, part) };
}
