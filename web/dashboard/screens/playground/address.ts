import { type GivenSearch, oneOf, textIn } from '../../address.ts';

export const MODES = ['search', 'chat'] as const;
export type Mode = (typeof MODES)[number];

export type PlaygroundAddress = {
  readonly q?: string | undefined;
  /** @default search */
  readonly mode?: Mode | undefined;
  /** From 0 to 1. @default 0.3 */
  readonly minScore?: string | undefined;
  /** JSON, as in the API. */
  readonly filters?: string | undefined;
};

export const parsePlayground = (given: GivenSearch): PlaygroundAddress => ({
  q: textIn(given, 'q'),
  mode: oneOf(given, 'mode', MODES),
  minScore: textIn(given, 'minScore'),
  filters: textIn(given, 'filters'),
});
