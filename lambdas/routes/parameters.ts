import * as z from 'zod';

export const NoParams = z.object({});
export const SiteParams = z.object({ siteId: z.uuid().describe('the id of the site') });
export const GroupParams = z.object({ groupId: z.uuid().describe('the id of the search group') });
export const JobParams = z.object({ jobId: z.uuid().describe('the id of the crawl job') });

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Parses a decimal number. Stricter than `Number`, which reads '' as 0 and also accepts `0x10` and `1e2`. */
const parseDecimal = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;

type Range = { readonly min: number; readonly max: number; readonly default: number };

export const intInUrl = ({ min, max, default: value }: Range) =>
  z.preprocess(parseDecimal, z.int().min(min).max(max).default(value));

export const numberInUrl = ({ min, max, default: value }: Range) =>
  z.preprocess(parseDecimal, z.number().min(min).max(max).default(value));

/** Accepts `1`, `true`, `0` and `false`. */
export const flagInUrl = (value: boolean) =>
  z.preprocess((text) => (typeof text === 'string' ? (FLAGS.get(text) ?? text) : text), z.boolean().default(value));

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true'].map((text) => [text, true] as const),
  ...['0', 'false'].map((text) => [text, false] as const),
]);

export const Cursor = z.string().min(1).max(4096).describe('`nextCursor` of the previous page');

export const pageQuery = ({ maxLimit }: { readonly maxLimit: number }) =>
  z.object({
    limit: intInUrl({ min: 1, max: maxLimit, default: 50 }).describe('entries of a page, at most'),
    cursor: Cursor.optional(),
  });
