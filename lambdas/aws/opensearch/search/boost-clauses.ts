import type { SiteScope } from '../../../domain/ports/page-index.ts';
import { type Boosts, countsAsBoost } from '../../../domain/search/rank/boosts.ts';
import { type Clause, groupClause, type PageGroup } from './page-clauses.ts';

/** Multiplies the score that selects candidates by the boosts, one clause for all boosts of the same value. */
export function boosted(query: Clause, { tagBoosts, urlBoosts }: Boosts, scope: SiteScope): Clause {
  const values = new Set([...tagBoosts, ...urlBoosts].map(({ boost }) => boost).filter(countsAsBoost));
  values.delete(1);
  if (values.size === 0) return query;
  const functions = Array.from(values, (weight) => ({
    filter: groupClause(
      groupOf({ tagBoosts, urlBoosts }, true, (boost) => boost === weight),
      scope,
    ),
    weight,
  }));
  return { function_score: { query, functions, score_mode: 'multiply', boost_mode: 'multiply' } };
}

/**
 * Returns the groups of pages that a vector search asks for separately, because k-NN knows no boosts: raised pages, and
 * pages that are not lowered.
 */
export function boostedGroups(boosts: Boosts): readonly PageGroup[] {
  const raised = groupOf(boosts, true, (boost) => boost > 1);
  const others = groupOf(boosts, false, (boost) => boost < 1);
  return [raised, others].filter((group) => [group.tags, group.urlPrefixes, group.pathPrefixes].flat().length > 0);
}

function groupOf({ tagBoosts, urlBoosts }: Boosts, inside: boolean, wanted: (boost: number) => boolean): PageGroup {
  const isWanted = ({ boost }: { readonly boost: number }) => countsAsBoost(boost) && wanted(boost);
  const prefixes = urlBoosts.filter(isWanted).map(({ urlPrefix }) => urlPrefix);
  return {
    inside,
    tags: tagBoosts.filter(isWanted).map(({ tag }) => tag),
    pathPrefixes: prefixes.filter((prefix) => prefix.startsWith('/')),
    urlPrefixes: prefixes.filter((prefix) => !prefix.startsWith('/')),
  };
}
