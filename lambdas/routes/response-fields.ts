import * as z from 'zod';

export const EpochSeconds = z.int().describe('in epoch seconds');
export const Count = z.int().min(0);
export const Success = z
  .object({ success: z.boolean().describe('always true; a failure is an error') })
  .meta({ id: 'SuccessBody' });

export const paging = {
  nextCursor: z.string().nullable().describe('the `cursor` of the next page, or null'),
  hasMore: z.boolean().describe('whether there is a next page'),
};

export const warnings = {
  warnings: z
    .array(z.string())
    .optional()
    .describe('what was accepted and has no effect, or another one than it seems; absent if there is nothing to say'),
};
