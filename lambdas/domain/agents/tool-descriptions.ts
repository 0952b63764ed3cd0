import { visibleText } from '../../text/visible-text.ts';
import type { Facet } from '../search/results/facet-counts.ts';
import { languagesOf } from '../search/searched-site.ts';
import type { AgentScope } from './agent-scope.ts';

const [MAX_TAGS, MAX_LANGUAGES, MAX_NAME, MAX_ABOUT] = [8, 5, 100, 400];
/** Longer values are sentences, with which a page could give an agent orders in the name of the tool. */
const MAX_VALUE = 40;
/** The index counts this many values at most, so a list with this number may not be complete. */
const COUNTED_VALUES = 100;

/** Describes what a site or group is about, for the descriptions of its tools. */
export function contentDescription(scope: AgentScope, facets: readonly Facet[]): string {
  const name = line(scope.name, MAX_NAME);
  if (scope.mcp.description !== undefined) return `${name}: ${line(scope.mcp.description, 1000)}`;
  const hosts = [
    ...new Set(scope.sites.flatMap(({ settings }) => settings.domain ?? URL.parse(settings.baseUrl)?.host ?? [])),
  ];
  const pages = scope.sites.reduce((sum, { state }) => sum + state.pageCount, 0);
  const crawled = scope.sites.flatMap(({ state }) => state.lastCrawledAt ?? []);
  const tags = valuesOf(facets.find(({ name }) => name === 'tags')).slice(0, MAX_TAGS);
  const languages = languagesOf(scope.sites).slice(0, MAX_LANGUAGES);
  const facts = [
    `${hosts.slice(0, 3).join(', ')}, ${pages} ${pages === 1 ? 'page' : 'pages'}`,
    ...(languages.length > 0 ? [`in the languages ${languages.join(', ')}`] : []),
    ...(crawled.length > 0 ? [`last crawled ${isoDay(Math.max(...crawled))}`] : []),
  ];
  const about = scope.description === undefined ? '' : `: ${line(scope.description, MAX_ABOUT)}`;
  return `${name} (${facts.join('; ')})${about}${tags.length > 0 ? ` Frequent tags: ${tags.join(', ')}.` : ''}`;
}

/** Returns the values of a facet that a tool may list: short, in one line, without hidden characters. */
export function valuesOf(facet: Facet | undefined): readonly string[] {
  if (facet?.type !== 'string') return [];
  return facet.values.map(({ value }) => value).filter((value) => value.length <= MAX_VALUE && isPlain(value));
}

/** Whether `valuesOf` has all values of a facet. */
export const isComplete = (facet: Facet): boolean => facet.type === 'string' && facet.values.length < COUNTED_VALUES;

const isPlain = (value: string): boolean => value !== '' && visibleText(value) === value && !/\s{2}|[\n\t]/.test(value);

const line = (text: string, length: number): string =>
  [...visibleText(text).replace(/\s+/g, ' ').trim()].slice(0, length).join('');

const isoDay = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString().slice(0, 10);
