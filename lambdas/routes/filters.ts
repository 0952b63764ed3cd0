import * as z from 'zod';
import type { Filters as PageFilters } from '../domain/search/page-filters.ts';
import { MAX_URL_LENGTH } from '../text/web/url.ts';

export const QueryText = z.string().trim().min(1).max(2048).describe('what is searched');

const Text = z.string().max(1000);
const SCALARS = [Text, z.number(), z.boolean()] as const;
const Bound = z.union([z.number(), z.iso.date(), z.iso.datetime({ offset: true })]);
const FilterRange = z
  .strictObject({
    gte: Bound.optional().describe('the least value, included'),
    lte: Bound.optional().describe('the greatest value, included'),
  })
  .refine(({ gte, lte }) => gte !== undefined || lte !== undefined, 'must have `gte`, `lte` or both')
  .meta({ id: 'FilterRange' });

const FilterPrefix = z
  .strictObject({ prefix: z.string().min(1).max(MAX_URL_LENGTH).describe('what the URL or its path begins with') })
  .meta({ id: 'FilterPrefix' });

/** A flat union: a generated client may send `{}` for a value of a union within a union. */
const FilterValue = z.union(
  [...SCALARS, z.array(z.union(SCALARS)).min(1).max(100), FilterRange, FilterPrefix],
  'must be a value, a list of 1 to 100 values, `{gte, lte}` with numbers or ISO 8601 dates, or for url `{prefix}`',
);

/** 50 declared fields of a site and 5 built-in ones. */
const MAX_FIELDS = 55;

export const FILTERS = 'which pages may be found; every field must match';

const FilterFields = z
  .record(z.string().min(1).max(64), FilterValue)
  .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`)
  .meta({
    id: 'Filters',
    description:
      'Every field must match: a value, any value of a list, or a range `{gte, lte}` of numbers or dates. ' +
      'A date without a time is the whole day. ' +
      'Fields: those of the metadata schema and, by value, others that a page has in its metadata, `tags`, `language`, `publishedAt`, `url` with `{prefix}` of the URL or ' +
      'of its path, and `siteId` in groups.',
  });

/** Refuses `__proto__`. zod's records drop it, and an ignored filter would return too many results. */
export const Filters = z.preprocess((fields, context) => {
  if (typeof fields === 'object' && fields !== null && Object.hasOwn(fields, '__proto__'))
    context.issues.push({ code: 'custom', message: 'is not a filter field', input: fields, path: ['__proto__'] });
  return fields;
}, FilterFields) satisfies z.ZodType<PageFilters>;

export const FiltersInUrl = z
  .string()
  .max(8192)
  .meta({ contentMediaType: 'application/json', description: 'JSON of the same `filters` as in POST' })
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'must be JSON', input: text });
      return z.NEVER;
    }
  })
  .pipe(Filters);

/** 50 fields of a site and 2 built-in ones. */
export const FacetNames = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(52)
  .describe('fields whose values are counted: `tags`, `language`, and those of the schema with `facet`');

export const FacetNamesInUrl = z.preprocess(
  (names) => (typeof names === 'string' ? names.split(',') : names),
  FacetNames,
);
