import { type GivenSearch, oneOf, textIn } from '../../address.ts';

export const MODES = ['search', 'chat'] as const;
export type Mode = (typeof MODES)[number];

export type PlaygroundAddress = {
  readonly q?: string;
  /** @default search */
  readonly mode?: Mode;
  /** From 0 to 1. @default 0.3 */
  readonly minScore?: string;
  /** JSON, as in the API. */
  readonly filters?: string;
};

export function parsePlayground(given: GivenSearch): PlaygroundAddress {
  const q = textIn(given, 'q');
  const mode = oneOf(given, 'mode', MODES);
  const minScore = textIn(given, 'minScore');
  const filters = textIn(given, 'filters');
  return { ...(q && { q }), ...(mode && { mode }), ...(minScore && { minScore }), ...(filters && { filters }) };
}
