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

/** Returns the schema of the filters of a site or group: each facet with its values or its range. */
export function agentFilters(facets: readonly Facet[], { sites }: AgentScope) {
  const fields: Record<string, z.ZodType> = {};
  for (const facet of facets) {
    const field = fieldOf(facet);
    if (field) fields[facet.name] = field.optional();
  }
  fields.publishedAt = rangeOf(Day).optional().describe('when pages were published, YYYY-MM-DD');
  if (sites.length > 1) fields.siteId = siteField(sites).optional();
  return z.strictObject(fields) as z.ZodType<Filters>;
}

function fieldOf(facet: Facet): z.ZodType | undefined {
  const label = visibleText(facet.label).slice(0, 100);
  if (facet.type === 'number') return rangeOf(z.number()).describe(`${label}, ${facet.min} to ${facet.max}`);
  if (facet.type === 'date') return rangeOf(Day).describe(`${label}, ${facet.min} to ${facet.max}`);
  const [first, ...more] = valuesOf(facet);
  if (first === undefined) return undefined;
  if (isComplete(facet)) return z.enum([first, ...more]).describe(label);
  return Text.describe(`${label}, such as ${[first, ...more].slice(0, 20).join(', ')}`);
}

function siteField(sites: AgentScope['sites']): z.ZodType {
  const [first = '', ...more] = sites.map(({ settings }) => settings.siteId);
  const names = sites.map(({ settings }) => `${settings.siteId}: ${visibleText(settings.name).slice(0, 60)}`);
  return z.enum([first, ...more]).describe(`only one site: ${names.slice(0, 50).join('; ')}`);
}
