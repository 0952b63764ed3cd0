import * as z from 'zod';
import { HTTP_STATUS } from './http-errors.ts';

/** The body of every refusal but 429. */
export const ErrorBody = z
  .object({
    error: z.string().describe('for people'),
    code: z.enum(Object.keys(HTTP_STATUS)).describe('for programs'),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('of invalid input: everything that is wrong with parameters, query and body'),
  })
  .meta({ id: 'Error' });

export const RateLimitedBody = z
  .object({
    error: z.string(),
    code: z.literal('rate_limited'),
    retryAfter: z.int().min(0).describe('seconds'),
  })
  .meta({ id: 'RateLimited' });
