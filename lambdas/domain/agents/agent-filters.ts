import * as z from 'zod';
import { visibleText } from '../../text/visible-text.ts';
import type { Filters } from '../search/page-filters.ts';
import type { Facet } from '../search/results/facet-counts.ts';
import type { AgentScope } from './agent-scope.ts';
import { isComplete, valuesOf } from './tool-descriptions.ts';

const Text = z.string().min(1).max(1000);
/** Shorter than zod's pattern of a date, which each agent reads. The search refuses a day that does not exist. */
const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be YYYY-MM-DD');
const rangeOf = (bound: z.ZodType) => z.strictObject({ gte: bound.optional(), lte: bound.optional() });

/** Characters of all values that are listed, because every agent reads them. */
const MAX_LISTED = 4000;
const MAX_EXAMPLES = 5;
const MAX_SITES = 50;

/** Returns the schema of the filters of a site or group: each facet with its values or its range. */
export function agentFilters(facets: readonly Facet[], { sites }: AgentScope) {
  const fields: Record<string, z.ZodType> = {};
  let room = MAX_LISTED;
  for (const facet of facets) {
    const values = valuesOf(facet);
    const length = values.join('').length;
    const field = fieldOf(facet, { values, isListed: isComplete(facet) && length <= room });
    if (field instanceof z.ZodEnum) room -= length;
    if (field) fields[facet.name] = field.optional();
  }
  fields.publishedAt = rangeOf(Day).optional().describe('when pages were published, YYYY-MM-DD');
  if (sites.length > 1) fields.siteId = siteField(sites).optional();
  return z.strictObject(fields) as z.ZodType<Filters>;
}

type Values = { readonly values: readonly string[]; readonly isListed: boolean };

function fieldOf(facet: Facet, { values, isListed }: Values): z.ZodType | undefined {
  const label = visibleText(facet.label).slice(0, 100).toWellFormed();
  if (facet.type === 'number') return rangeOf(z.number()).describe(`${label}, ${facet.min} to ${facet.max}`);
  if (facet.type === 'date') return rangeOf(Day).describe(`${label}, ${facet.min} to ${facet.max}`);
  const [first, ...more] = values;
  if (first === undefined) return undefined;
  if (isListed) return z.enum([first, ...more]).describe(label);
  return Text.describe(`${label}, such as ${values.slice(0, MAX_EXAMPLES).join(', ')}`);
}

function siteField(sites: AgentScope['sites']): z.ZodType {
  const [first = '', ...more] = sites.map(({ settings }) => settings.siteId);
  if (sites.length > MAX_SITES) return Text.describe('only the site with this id');
  const names = sites.map(({ settings }) => `${settings.siteId}: ${visibleText(settings.name).slice(0, 60)}`);
  return z.enum([first, ...more]).describe(`only one site: ${names.join('; ')}`.toWellFormed());
}
