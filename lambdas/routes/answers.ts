import * as z from 'zod';

export const EpochSeconds = z.int().describe('epoch seconds');
export const Count = z.int().min(0);
export const Success = z.object({ success: z.boolean() }).meta({ id: 'Success' });

/** The end of every list that comes in pages. */
export const paging = {
  nextCursor: z.string().nullable().describe('`cursor` of the next page; null when there is none'),
  hasMore: z.boolean(),
};
