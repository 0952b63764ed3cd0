import * as z from 'zod';

export const NoParams = z.object({});
export const SiteParams = z.object({ siteId: z.uuid() });
export const GroupParams = z.object({ groupId: z.uuid() });
export const JobParams = z.object({ jobId: z.uuid() });

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Only plain decimals become numbers: `Number` alone would take an empty value for 0, and read `0x10` and `1e2`. */
const numberInUrl = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;

type Range = { readonly from: number; readonly to: number; readonly otherwise: number };

export const wholeNumberInUrl = ({ from, to, otherwise }: Range) =>
  z.preprocess(numberInUrl, z.int().min(from).max(to).default(otherwise));

export const numberInUrlWithin = ({ from, to, otherwise }: Range) =>
  z.preprocess(numberInUrl, z.number().min(from).max(to).default(otherwise));

export const Cursor = z.string().min(1).max(4096).describe('`nextCursor` of the page before');

/** What every list that comes in pages takes, with its own largest page. */
export const pagedBy = ({ most }: { readonly most: number }) => ({
  limit: wholeNumberInUrl({ from: 1, to: most, otherwise: 50 }),
  cursor: Cursor.optional(),
});
