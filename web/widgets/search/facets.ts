import type { FacetsResponse, Filters } from '../../../packages/client/src/client.ts';
import type { SiteSearchElement } from '../loader/elements.ts';
import { type Choice, type Choices, isEmpty, isList } from './choices.ts';
import { type Found, filtersOf, type Search } from './search.ts';

export type Facet = FacetsResponse['facets'][number];

/** The facets of a page of results: what they count, and what of them is chosen. */
export type Facets = {
  /** Learns which fields there are, if the page does not name them. */
  readonly learn: () => Promise<void>;
  readonly names: () => readonly string[];
  /** The filters of the page, and those that the visitor has chosen. */
  readonly filters: () => Filters;
  readonly answered: (found: Found) => void;
  readonly choose: (name: string, choice: Choice) => void;
  readonly set: (choices: Choices) => void;
  readonly chosen: Choices;
  /** The facets that tell pages apart. */
  readonly shown: () => readonly Facet[];
};

export function createFacets(host: SiteSearchElement, search: () => Search, update: () => void): Facets {
  const chosen = new Map<string, Choice>();
  let learnt: readonly string[] = [];
  let facets: readonly Facet[] = [];
  let round = 0;

  const attribute = () => host.getAttribute('facets');
  const isAuto = () => attribute() === '' || attribute() === 'auto';

  function names(): readonly string[] {
    const given = isAuto() ? learnt : (attribute() ?? '').split(/[\s,]+/).filter(Boolean);
    const fixed = filtersOf(host); // A choice would widen what the page restricts.
    return given.filter((name) => !(name in fixed));
  }

  function filters(except?: string): Filters {
    const own = [...chosen].filter(([name]) => name !== except).map(([name, choice]) => [name, filterOf(name, choice)]);
    return { ...filtersOf(host), ...Object.fromEntries(own) };
  }

  function filterOf(name: string, choice: Choice): Filters[string] {
    if (isList(choice)) return [...choice];
    const isNumber = facets.find((facet) => facet.name === name)?.type === 'number';
    const bound = (text: string) => (isNumber ? Number(text) : text);
    return { ...(choice.from && { gte: bound(choice.from) }), ...(choice.to && { lte: bound(choice.to) }) };
  }

  /** Of a field with chosen values, the others are counted too, as if nothing of it was chosen. */
  async function countOthers(found: Found): Promise<void> {
    round += 1;
    const current = round;
    const counted = await Promise.all(
      [...chosen.keys()].map(async (name) => {
        const answer = await search().client.facets({ q: found.query, filters: filters(name) });
        return answer.facets.filter((facet) => facet.name === name);
      }),
    ).catch(() => []);
    if (current !== round) return;
    const others = new Map(counted.flat().map((facet) => [facet.name, facet]));
    facets = facets.map((facet) => others.get(facet.name) ?? facet);
    for (const [name, facet] of others) if (!facets.some((known) => known.name === name)) facets = [...facets, facet];
    update();
  }

  return {
    names,
    filters: () => filters(),
    chosen,
    async learn() {
      if (!isAuto()) return;
      const answer = await search()
        .client.facets({ filters: filtersOf(host) })
        .catch(() => undefined);
      learnt = answer?.facets.map(({ name }) => name) ?? learnt;
    },
    answered(found) {
      const before = new Map(facets.map((facet) => [facet.name, facet]));
      facets = (found.facets ?? []).map((facet) =>
        chosen.has(facet.name) ? (before.get(facet.name) ?? facet) : facet,
      );
      if (chosen.size > 0) void countOthers(found);
    },
    choose(name, choice) {
      if (isEmpty(choice)) chosen.delete(name);
      else chosen.set(name, choice);
    },
    set(choices) {
      chosen.clear();
      for (const [name, choice] of choices) chosen.set(name, choice);
    },
    shown: () =>
      facets.filter(
        (facet) =>
          chosen.has(facet.name) || (facet.type === 'string' ? facet.values.length > 1 : facet.min !== facet.max),
      ),
  };
}
