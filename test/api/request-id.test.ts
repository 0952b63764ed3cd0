import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Answer } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';

describe('the id of a request', () => {
  let service: TestApi;
  let written: jest.SpiedFunction<typeof process.stderr.write>;
  beforeAll(async () => {
    service = await openApi({ env: { LOG_LEVEL: 'info' } });
    written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterAll(async () => {
    written.mockRestore();
    await service.end();
  });

  /** Returns the log entry of the last request. */
  async function logOf(answer: Promise<Answer>): Promise<object> {
    written.mockClear();
    const { headers } = await answer;
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    const [line = {}] = lines.filter(({ message }) => message === 'request');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(line.requestId).toBe(headers.get('x-request-id'));
    return line;
  }

  it('the log contains the id of a request with its method, path and status', async () => {
    const owner = service.client(service.ready.apiKey);
    expect(await logOf(owner('GET', '/api/sites'))).toMatchObject({ method: 'GET', path: '/sites', status: 200 });
    expect(await logOf(service.client()('GET', '/api/sites'))).toMatchObject({ status: 401 });
    expect(await logOf(owner('PATCH', '/api/sites'))).toMatchObject({ method: 'PATCH', path: 'no route', status: 405 });
    expect(await logOf(owner('GET', '/api/nowhere?secret=1'))).toMatchObject({ path: 'no route', status: 404 });
    expect(JSON.stringify(written.mock.calls)).not.toContain('secret');
  });

  it('the id of a request is not taken from the client', async () => {
    const headers = { 'X-Request-Id': 'mine' };
    await logOf(service.client(service.ready.apiKey)('GET', '/api/sites', { headers }));
  });
});
