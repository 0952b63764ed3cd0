import * as z from 'zod';
import { errorList } from './error-meanings.ts';
import { HTTP_STATUS } from './http-errors.ts';

export const ErrorBody = z
  .object({
    error: z.string().describe('a message for people'),
    code: z.enum(Object.keys(HTTP_STATUS)).describe(`a stable code for programs:\n${errorList()}`),
    issues: z
      .array(
        z.object({
          path: z.string().describe('where: `query.limit`, `body.pages.0.url`'),
          message: z.string().describe('what is wrong there, for people'),
        }),
      )
      .optional()
      .describe('for invalid input: the faults of the path parameters, the query and the body, 20 at most'),
    moreIssues: z.int().min(1).optional().describe('the number of faults beyond those'),
  })
  .meta({ id: 'ErrorBody' });

export const RateLimitedBody = z
  .object({
    error: z.string().describe('a message for people'),
    code: z.literal('rate_limited').describe('a stable code for programs'),
    retryAfter: z.int().min(0).describe('seconds to wait'),
  })
  .meta({ id: 'RateLimited' });
