import { type Texts, textsOf } from '../language.ts';
import type { Outcome, Reason } from '../outcomes.ts';
import { de } from './de/outcomes.ts';
import { en } from './en/outcomes.ts';

/** A reason that is added to the contract has no text here, so this does not compile until it has one. */
type Complete = Texts<typeof en> & {
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly reasons: Readonly<Record<Reason, string>>;
  readonly advice: Readonly<Record<Reason, string>>;
};

export const useOutcomeTexts: () => Complete = textsOf(en, de);
