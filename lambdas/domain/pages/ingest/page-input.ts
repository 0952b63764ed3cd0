import * as z from 'zod';
import { MAX_URL_LENGTH } from '../../../text/web/url.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_METADATA = 32_000;
const MAX_VALUES = 500;
const MAX_DEPTH = 8;
const LANGUAGE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,8}$/;

export const PageUrl = z.string().min(1).max(MAX_URL_LENGTH);
export const DocumentKey = z.string().min(1).max(512).describe('your key of the page, by which it can be deleted');

const Metadata = z
  .record(z.string(), z.unknown())
  .refine(isSmall, `must be at most ${MAX_METADATA / 1000} kB of JSON, ${MAX_VALUES} values, nested ${MAX_DEPTH} deep`);

export const PageInput = z
  .object({
    url: PageUrl.describe('a relative URL is resolved against the base URL of the site'),
    content: z
      .string()
      .min(1)
      .max(MAX_BYTES, { error: 'must be at most 1 MB', abort: true })
      .refine((content) => Buffer.byteLength(content) <= MAX_BYTES, 'must be at most 1 MB')
      .describe('HTML or plain text, at most 1 MB'),
    contentType: z.enum(['html', 'text']).default('html').describe('what `content` is'),
    title: z.string().max(1000).optional().describe('by default that of the HTML'),
    summary: z.string().max(5000).optional().describe('in a sentence or two; by default from the HTML or a model'),
    tags: z
      .array(z.string().min(1).max(200))
      .max(100)
      .optional()
      .describe('keywords; by default from the HTML or a model'),
    preProcessed: z
      .boolean()
      .default(false)
      .describe('the content is clean: nothing is removed, and no model is called'),
    metadata: Metadata.optional().describe('any fields; those of the metadata schema can be used in filters'),
    key: DocumentKey.optional(),
    language: z
      .string()
      .regex(LANGUAGE, 'must be a language tag such as `en` or `pt-BR`')
      .max(35)
      .optional()
      .describe('a tag such as `en` or `pt-BR`; by default that of the HTML, else it is detected'),
    publishedAt: z
      .union(
        [z.iso.date(), z.iso.datetime({ offset: true })],
        'must be a date such as 2026-11-23 or 2026-11-23T10:30:00Z',
      )
      .optional()
      .describe('ISO 8601; by default that of the HTML'),
  })
  .meta({ id: 'PageContent' });
export type PageInput = z.infer<typeof PageInput>;

function isSmall(metadata: unknown): boolean {
  return countValues(metadata, MAX_DEPTH) <= MAX_VALUES && JSON.stringify(metadata).length <= MAX_METADATA;
}

/** Counts values; returns Infinity if they are nested too deeply. */
function countValues(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (depth === 0) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (const part of Object.values(value)) {
    count += countValues(part, depth - 1);
    if (count > MAX_VALUES) break;
  }
  return count;
}
