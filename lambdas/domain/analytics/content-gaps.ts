import { COSINE_SCALES } from '../../text/words/cosine-scale.ts';
import { isOutage } from '../errors.ts';
import type { EmbeddedText, Embedder } from '../ports/embedder.ts';
import type { EventReader, EventScope, Period } from '../ports/event-log.ts';
import { periodOf } from '../ports/rules/days.ts';
import { NO_COUNTS, sumOf } from '../ports/rules/event-counts.ts';
import type { Caller } from '../sites/access/api-key.ts';
import { ownSite } from '../sites/site.ts';
import { agentsOf } from './agent-events.ts';
import type { FigureDeps } from './analytics.ts';

/** Maximum number of queries grouped for each kind of gap. The time of grouping rises with their square. */
const MAX_QUERIES = 200;
const MAX_EXAMPLES = 5;
/**
 * Minimum nearness of two queries in a group, on the scale of `COSINE_SCALES` from unrelated (0) to nearly the same
 * (1).
 */
const SAME_MEANING = 0.6;

/** Numbers of failures of people, and of agents. */
type Missed = Readonly<Record<'noResults' | 'noClick' | 'refused' | 'agents', number>>;
type Gap = Missed & { readonly query: string; readonly count: number };
type Group = { readonly leader: Gap; readonly gaps: Gap[]; readonly meaning: EmbeddedText | undefined };

/**
 * Returns what visitors looked for and did not find, grouped by meaning, most frequent first: searches without a
 * result, searches of which no result was opened, questions that the chat refused, and failures of agents, which are
 * marked. Searches without a click count only if the site records clicks.
 */
export async function contentGaps(
  siteId: string,
  { range, limit }: { readonly range: string; readonly limit: number },
  { orgId }: Pick<Caller, 'orgId'>,
  { table, eventLog, embedder, clock }: FigureDeps & { readonly embedder: Embedder },
) {
  await ownSite(siteId, orgId, table);
  const gaps = await gapsOf({ orgId, siteId }, periodOf(range, clock), eventLog);
  const groups = grouped(gaps, await meanings(gaps, embedder));
  return {
    siteId,
    range,
    gaps: groups
      .map(shown)
      .toSorted((one, other) => other.count - one.count)
      .slice(0, limit),
  };
}

async function gapsOf(scope: EventScope, period: Period, eventLog: EventReader): Promise<readonly Gap[]> {
  const limit = MAX_QUERIES;
  const [agents, days, searched, empty, refused] = await Promise.all([
    agentFailures(agentsOf(scope), period, eventLog),
    eventLog.days(scope, period),
    eventLog.queries(scope, period, { by: 'searches', limit: 5 * limit }),
    eventLog.queries(scope, period, { by: 'emptySearches', limit }),
    eventLog.queries(scope, period, { by: 'refusedChats', limit }),
  ]);
  const recordsClicks = sumOf(days).clicks > 0;
  const queries = new Map([...searched, ...empty, ...refused].map((counted) => [counted.query, counted]));
  return [...new Set([...queries.keys(), ...agents.keys()])]
    .map((query) => {
      const { searches, emptySearches: noResults, clicks, refusedChats } = queries.get(query) ?? NO_COUNTS;
      const noClick = recordsClicks && clicks === 0 ? searches - noResults : 0;
      const missed = { noResults, noClick, refused: refusedChats, agents: agents.get(query) ?? 0 };
      return { query, ...missed, count: noResults + noClick + refusedChats + missed.agents };
    })
    .filter(({ query, count }) => count > 0 && query !== '')
    .toSorted((one, other) => other.count - one.count)
    .slice(0, 3 * limit);
}

/** Returns how often agents failed with a query. */
async function agentFailures(
  scope: EventScope,
  period: Period,
  eventLog: EventReader,
): Promise<ReadonlyMap<string, number>> {
  const [empty, refused] = await Promise.all([
    eventLog.queries(scope, period, { by: 'emptySearches', limit: MAX_QUERIES }),
    eventLog.queries(scope, period, { by: 'refusedChats', limit: MAX_QUERIES }),
  ]);
  return new Map(
    [...empty, ...refused].map((counted) => [counted.query, counted.emptySearches + counted.refusedChats]),
  );
}

/** Returns the vectors of the queries. If the embedder fails, there are none, and each query forms its own group. */
async function meanings(gaps: readonly Gap[], embedder: Embedder): Promise<readonly (EmbeddedText | undefined)[]> {
  try {
    return await embedder.embedTexts(gaps.map(({ query }) => ({ text: query })));
  } catch (error) {
    if (!isOutage(error)) throw error;
    return [];
  }
}

/** Adds each query to the most frequent group with the same meaning. */
function grouped(gaps: readonly Gap[], meanings: readonly (EmbeddedText | undefined)[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [index, gap] of gaps.entries()) {
    const meaning = meanings[index];
    const group = meaning && groups.find((other) => other.meaning && meanTheSame(meaning, other.meaning));
    if (group) group.gaps.push(gap);
    else groups.push({ leader: gap, gaps: [gap], meaning });
  }
  return groups;
}

function meanTheSame(one: EmbeddedText, other: EmbeddedText): boolean {
  if (one.block !== other.block) return false;
  const { low, high } = COSINE_SCALES[one.block];
  const cosine = one.vector.reduce((sum, number, index) => sum + number * (other.vector[index] ?? 0), 0);
  return (cosine - low) / (high - low) >= SAME_MEANING;
}

function shown({ leader, gaps }: Group) {
  const sum = (of: keyof Missed | 'count') => gaps.reduce((total, gap) => total + gap[of], 0);
  return {
    query: leader.query,
    count: sum('count'),
    noResults: sum('noResults'),
    noClick: sum('noClick'),
    refused: sum('refused'),
    agents: sum('agents'),
    queries: gaps.length,
    examples: gaps.slice(0, MAX_EXAMPLES).map(({ query, count }) => ({ query, count })),
  };
}
