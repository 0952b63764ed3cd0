import { type GivenSearch, oneOf } from '../../address.ts';

export const RANGES = ['7d', '30d', '90d'] as const;
export type Range = (typeof RANGES)[number];
export const LENGTHS = ['10', '50', '100'] as const;
export const GAP_KINDS = ['noResults', 'noClick', 'refused', 'agents'] as const;
export type GapKind = (typeof GAP_KINDS)[number];

export type SearchesAddress = {
  /** @default 30d */
  readonly range?: Range;
  /** How many entries a list has, at most. @default 10 */
  readonly entries?: (typeof LENGTHS)[number];
  /** Only content gaps of this kind. */
  readonly gaps?: GapKind;
};

export function parseSearches(given: GivenSearch): SearchesAddress {
  const range = oneOf(given, 'range', RANGES);
  const entries = oneOf(given, 'entries', LENGTHS);
  const gaps = oneOf(given, 'gaps', GAP_KINDS);
  return { ...(range && { range }), ...(entries && { entries }), ...(gaps && { gaps }) };
}
