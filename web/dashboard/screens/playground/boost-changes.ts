import type { Boosts } from '../../forms/boost-rows.tsx';

/** A boost that saving would add, change or remove. A factor is undefined where there is none. */
export type BoostChange = {
  readonly name: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
};

const namedIn = ({ urlBoosts, tagBoosts }: Boosts): ReadonlyMap<string, number> =>
  new Map([
    ...urlBoosts.map(({ urlPrefix, boost }) => [urlPrefix, boost] as const),
    ...tagBoosts.map(({ tag, boost }) => [`#${tag}`, boost] as const),
  ]);

export function boostChanges(saved: Boosts, next: Boosts): readonly BoostChange[] {
  const [before, after] = [namedIn(saved), namedIn(next)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, before: before.get(name), after: after.get(name) }))
    .filter((change) => !Object.is(change.before, change.after));
}
