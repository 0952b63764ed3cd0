import * as z from 'zod';
import { MetadataSource } from './metadata-source.ts';

/** Field names of results and filters in every site, and one under which an object cannot store a value. */
const RESERVED_NAMES = ['summary', 'tags', 'publishedAt', 'crawledAt', 'language', 'url', 'siteId', '__proto__'];

export const MetadataField = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,64}$/, 'must be 1 to 64 letters, digits or underscores')
      .refine(
        (name) => !RESERVED_NAMES.includes(name),
        `must be none of the reserved names: ${RESERVED_NAMES.join(', ')}`,
      )
      .describe('the name of the field in `metadata`, filters and facets'),
    type: z
      .enum(['string', 'number', 'date'])
      .describe('of its values; dates are ISO 8601, and may be given in epoch seconds'),
    label: z.string().max(200).optional().describe('its name for people; by default `name`'),
    facet: z.boolean().optional().describe('whether its values are counted; by default false'),
    from: MetadataSource.optional().describe(
      'fills the field from the page itself, at the crawl or ingestion and for pages that are indexed already as far ' +
        'as possible; a value that the ingestion gives wins, and one that is not of the type is left out',
    ),
  })
  .meta({ id: 'MetadataField' });
export type MetadataField = z.infer<typeof MetadataField>;

export const MetadataSchema = z
  .array(MetadataField)
  .max(50)
  .superRefine((fields, issues) => {
    for (const [index, { name }] of fields.entries()) {
      if (fields.findIndex((field) => field.name === name) < index)
        issues.addIssue({ code: 'custom', path: [index, 'name'], message: `is the name of another field: ${name}` });
    }
  });
