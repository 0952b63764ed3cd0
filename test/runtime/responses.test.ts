import { describe, expect, it } from '@jest/globals';
import { AppError, StoreFullError } from '../../lambdas/domain/errors.ts';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import { ErrorBody } from '../../lambdas/runtime/error-bodies.ts';
import { failure } from '../../lambdas/runtime/responses.ts';

const event = { requestContext: { requestId: 'r' } } as unknown as ApiEvent;

describe('the answer to a request that failed', () => {
  it('lists 20 faults, and says how many more there are', () => {
    const faults = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ path: `body.f${n}`, message: 'is wrong' }));
    const bodyOf = (count: number) => {
      const error = new AppError('invalid_request', 'Invalid request', { issues: faults(count) });
      return ErrorBody.strict().parse(JSON.parse(failure(error, event).body));
    };
    expect(bodyOf(20)).toEqual({ error: 'Invalid request', code: 'invalid_request', issues: faults(20) });
    expect(bodyOf(100_000)).toMatchObject({ issues: faults(20), moreIssues: 99_980 });
  });

  it('names a full disk', () => {
    const { statusCode, body } = failure(new StoreFullError('no room'), event);
    expect([statusCode, JSON.parse(body)]).toEqual([
      507,
      { error: 'The disk of the service is full', code: 'disk_full' },
    ]);
  });

  it('is no failure of the service if the client has gone', () => {
    const { statusCode } = failure(new Error('aborted'), { ...event, closed: AbortSignal.abort() });
    expect(statusCode).toBe(408);
  });
});
