import { useMemo, useState } from 'react';
import { type Body, type Conflict, changesOf, conflictsOf } from './changes.ts';
import { type ErrorAt, issuesIn } from './issues.ts';

export type SectionOptions<Stored, Draft, B extends Body> = {
  /** The record as it was last read. */
  readonly stored: Stored;
  /** A function outside of the component: it is called when the record changes. */
  readonly draftOf: (stored: Stored) => Draft;
  /** The fields that the form is about, in the form of an update. */
  readonly bodyOf: (draft: Draft) => B;
  /** Reads the record now, from the service, and has the screen show it. */
  readonly load: () => Promise<Stored>;
  /** Saves the changed fields. */
  readonly save: (changes: Partial<B>) => Promise<unknown>;
};

export type Section<Draft> = {
  readonly draft: Draft;
  readonly set: (changed: Partial<Draft>) => void;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly errorAt: ErrorAt;
  /** What somebody else has changed since the form was filled. Nothing is saved until the user decides. */
  readonly conflicts: readonly Conflict[];
  readonly save: () => Promise<boolean>;
  /** Saves over the changes of somebody else. */
  readonly overwrite: () => Promise<boolean>;
  /** Forgets the changes. The form shows what is stored now. */
  readonly discard: () => void;
};

type Edit<Stored, Draft> = { readonly base: Stored; readonly draft: Draft };
type State = {
  readonly isBusy?: true;
  readonly error?: unknown;
  readonly conflicts?: readonly Conflict[];
};

/** A form about some fields of a record. It sends only what was changed, and overwrites no change of somebody else. */
export function useSection<Stored, Draft, B extends Body>(options: SectionOptions<Stored, Draft, B>): Section<Draft> {
  const { stored, draftOf, bodyOf, load, save } = options;
  const [edit, setEdit] = useState<Edit<Stored, Draft>>();
  const [state, setState] = useState<State>({});
  const fresh = useMemo(() => draftOf(stored), [stored, draftOf]);
  const current = edit ?? { base: stored, draft: fresh };
  const bodyOfStored = (record: Stored): B => bodyOf(draftOf(record));
  const isDirty = edit !== undefined && changesOf(bodyOfStored(edit.base), bodyOf(edit.draft)) !== undefined;

  const saveOver = async (base: Stored, isForced: boolean): Promise<boolean> => {
    const { draft } = current;
    const mine = changesOf(bodyOfStored(base), bodyOf(draft));
    if (!mine) return true;
    setState({ isBusy: true });
    try {
      const theirs = await load();
      const conflicts = conflictsOf(mine, { base: bodyOfStored(base), theirs: bodyOfStored(theirs) });
      if (conflicts.length > 0 && !isForced) {
        setState({ conflicts });
        return false;
      }
      await save(mine);
      setEdit((now) => (now === undefined || now.draft === draft ? undefined : now));
      setState({});
      return true;
    } catch (error) {
      setState({ error });
      return false;
    }
  };

  return {
    draft: current.draft,
    set: (changed) => setEdit({ base: current.base, draft: { ...current.draft, ...changed } }),
    isDirty,
    isBusy: state.isBusy === true,
    error: state.error,
    errorAt: issuesIn(state.error),
    conflicts: state.conflicts ?? [],
    save: () => saveOver(current.base, false),
    overwrite: () => saveOver(current.base, true),
    discard: () => {
      setEdit(undefined);
      setState({});
    },
  };
}
