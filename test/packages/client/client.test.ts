import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAdmin } from '../../../packages/client/src/admin.ts';
import {
  type Client,
  type ClientOptions,
  createClient,
  SearchError,
} from '../../../packages/client/src/site-search.ts';

type Asked = { readonly method: string; readonly url: string; readonly body: string; readonly headers: object };
type Handler = (response: ServerResponse, asked: Asked) => void | Promise<void>;

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Handler =>
  (response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const found = (query: string) => json(200, { query, results: [], totalResults: 0, timingMs: 1 });
const limited = json(429, { error: 'Too many.', code: 'rate_limited', retryAfter: 0 });

let server: Server;
let api: string;
let asked: Asked[];
/** By the number of the request; the last one answers all others. */
let handlers: Handler[];
const closed: string[] = [];

beforeEach(async () => {
  asked = [];
  handlers = [found('x')];
  closed.length = 0;
  server = createServer(async (request: IncomingMessage, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await text(request) };
    response.on('close', () => response.writableFinished || closed.push(url));
    const handler = handlers[asked.push(one) - 1] ?? handlers.at(-1);
    await handler?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const siteClient = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ api, site: 'a site', ...options } as ClientOptions & { site: string });
const failure = (call: Promise<unknown>): Promise<SearchError> =>
  call.then(
    () => {
      throw new Error('The call succeeds');
    },
    (error) => error,
  );
const silence: Handler = () => undefined;

async function eventually(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('the client', () => {
  it('the client searches by GET, with filters as JSON and without what is not given', async () => {
    const { results } = await siteClient().search('opening hours', {
      limit: 3,
      filters: { tags: ['a', 'b'] },
      facets: ['tags', 'language'],
    });
    expect(results).toEqual([]);
    const { pathname, searchParams } = new URL(asked[0]?.url ?? '', api);
    expect(pathname).toBe('/v1/public/sites/a%20site/search');
    expect(Object.fromEntries(searchParams)).toEqual({
      q: 'opening hours',
      limit: '3',
      filters: '{"tags":["a","b"]}',
      facets: 'tags,language',
    });
  });

  it('the client searches by POST if the address would be too long', async () => {
    const query = 'word '.repeat(400).trim();
    await siteClient().search(query, { limit: 3 });
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/v1/public/sites/a%20site/search' });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ query, limit: 3 });
  });

  it.each(['', '/', '/v1', '/v1/', '/v1/public', '/api'])(
    'the client takes the address of the service with "%s"',
    async (end) => {
      await siteClient({ api: api + end }).suggest('op');
      expect(asked[0]?.url).toBe('/v1/public/sites/a%20site/suggest?q=op');
    },
  );

  it('the client asks a group in the same way', async () => {
    const client = createClient({ api, group: 'g' });
    await client.search('x');
    await client.facets({ q: 'x', filters: { language: 'en' } });
    expect(asked.map(({ url }) => url)).toEqual([
      '/v1/public/groups/g/search?q=x',
      `/v1/public/groups/g/facets?q=x&filters=${encodeURIComponent('{"language":"en"}')}`,
    ]);
  });

  it('the client needs a site or a group', () => {
    expect(() => createClient({ api } as never)).toThrow('Name a site or a group');
    expect(() => createClient({ api, site: 's', group: 'g' } as never)).toThrow('Name a site or a group');
  });

  it('the client sends a key only if it has one', async () => {
    await siteClient().search('x');
    await siteClient({ key: 'ssk_x' }).search('x');
    expect(asked.map(({ headers }) => (headers as Record<string, string>).authorization)).toEqual([
      undefined,
      'Bearer ssk_x',
    ]);
  });

  it('the client uses the `fetch` that it is given', async () => {
    const urls: string[] = [];
    const fetch = (url: string | URL | Request) => {
      urls.push(String(url));
      return Promise.resolve(Response.json({ suggestions: [] }));
    };
    expect(await siteClient({ api: '', fetch: fetch as typeof globalThis.fetch }).suggest('x')).toEqual({
      suggestions: [],
    });
    expect(urls).toEqual(['/v1/public/sites/a%20site/suggest?q=x']);
  });
});

describe('errors of the client', () => {
  it('errors of the client have the code, the status and the faults of the answer', async () => {
    const issues = [{ path: 'query.limit', message: 'must be at most 100' }];
    handlers = [json(400, { error: 'Invalid request', code: 'invalid_request', issues })];
    const error = await failure(siteClient().search('x', { limit: 200 }));
    expect(error).toBeInstanceOf(SearchError);
    expect(error).toMatchObject({ message: 'Invalid request', code: 'invalid_request', status: 400, issues });
    expect(error.retryAfter).toBeUndefined();
  });

  it('errors of the client say that nothing answers', async () => {
    const error = await failure(siteClient({ api: 'http://127.0.0.1:1' }).search('x'));
    expect(error).toMatchObject({ code: 'unreachable', status: 0, issues: [] });
    expect(error.cause).toMatchObject({ name: 'TypeError' });
  });

  it.each([
    [502, '<h1>Bad gateway</h1>'],
    [200, '<h1>Welcome to the hotel</h1>'],
  ])('errors of the client say that something else answers with %d', async (status, body) => {
    handlers = [(response) => void response.writeHead(status, { 'Content-Type': 'text/html' }).end(body)];
    expect(await failure(siteClient().search('x'))).toMatchObject({ code: 'unexpected_answer', status });
  });

  it("errors of the client have the wait of a date in the header, also of a 429 that is not the service's", async () => {
    const date = new Date(Date.now() + 90_000).toUTCString();
    handlers = [(response) => void response.writeHead(429, { 'Retry-After': date }).end('slow down')];
    const error = await failure(siteClient().search('x'));
    expect(error.code).toBe('rate_limited');
    expect(error.retryAfter).toBeGreaterThan(80);
    expect(error.retryAfter).toBeLessThanOrEqual(90);
  });
});

describe('a refusal for the moment', () => {
  it('a refusal for the moment is waited for once, for reads', async () => {
    handlers = [json(503, { error: 'Busy', code: 'search_unavailable' }, { 'Retry-After': '1' }), found('x')];
    const start = performance.now();
    expect((await siteClient().search('x')).query).toBe('x');
    expect(performance.now() - start).toBeGreaterThan(950);
    expect(asked).toHaveLength(2);
  });

  it('a refusal for the moment is an error if it comes again', async () => {
    handlers = [limited];
    expect(await failure(siteClient().facets())).toMatchObject({ code: 'rate_limited', retryAfter: 0 });
    expect(asked).toHaveLength(2);
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['clicks', (client) => client.recordClick({ query: 'x', url: 'https://a.example/', position: 1 })],
    ['chats', (client) => client.chat('x').next()],
  ])('a refusal for the moment is an error at once for %s', async (_, call) => {
    handlers = [limited];
    expect(await failure(call(siteClient()))).toMatchObject({ code: 'rate_limited' });
    expect(asked).toHaveLength(1);
  });

  it('a refusal for the moment is an error at once if the wait is long, or none is said, or none is wanted', async () => {
    handlers = [json(429, { error: 'Too many.', code: 'rate_limited', retryAfter: 30 })];
    expect(await failure(siteClient().search('x'))).toMatchObject({ retryAfter: 30 });
    handlers = [json(503, { error: 'Busy', code: 'upstream_unavailable' })];
    expect(await failure(siteClient().search('x'))).toMatchObject({ code: 'upstream_unavailable' });
    handlers = [json(429, { error: 'Too many.', code: 'rate_limited', retryAfter: 1 })];
    expect(await failure(siteClient({ longestWait: 0 }).search('x'))).toMatchObject({ retryAfter: 1 });
    expect(asked).toHaveLength(3);
  });

  it('a refusal for the moment is not waited for any longer once the call is aborted', async () => {
    handlers = [json(429, { error: 'Too many.', code: 'rate_limited', retryAfter: 4 })];
    const controller = new AbortController();
    const call = failure(siteClient().facets({ signal: controller.signal }));
    await eventually(() => asked.length === 1);
    setTimeout(() => controller.abort(), 50);
    const start = performance.now();
    expect((await call).name).toBe('AbortError');
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe('a newer search', () => {
  it('a newer search ends an older one, whose connection is closed', async () => {
    handlers = [silence, found('newer')];
    const client = siteClient();
    const older = failure(client.search('older'));
    await eventually(() => asked.length === 1);
    expect((await client.search('newer')).query).toBe('newer');
    expect((await older).name).toBe('AbortError');
    await eventually(() => closed.length === 1);
  });

  it('a newer search leaves suggestions, facets and other clients alone', async () => {
    handlers = [
      async (response, one) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        await json(200, { query: one.url })(response, one);
      },
    ];
    const client = siteClient();
    const answers = await Promise.all([
      client.suggest('a'),
      client.facets(),
      siteClient().search('b'),
      client.search('c'),
    ]);
    expect(answers).toHaveLength(4);
  });

  it('a newer search does not end older ones of a client for several people', async () => {
    const client = siteClient({ parallel: true });
    expect(await Promise.all([client.search('a'), client.search('b')])).toHaveLength(2);
  });
});

describe('a signal', () => {
  const calls: readonly [string, (client: Client, signal: AbortSignal) => Promise<unknown>][] = [
    ['search', (client, signal) => client.search('x', { signal })],
    ['suggest', (client, signal) => client.suggest('x', { signal })],
    ['facets', (client, signal) => client.facets({ signal })],
    ['chat', (client, signal) => client.chat('x', { signal }).next()],
    ['recordClick', (client, signal) => client.recordClick({ query: 'x', url: 'u', position: 1, signal })],
    ['feedback', (client, signal) => client.feedback({ query: 'x', helpful: true, signal })],
    ['admin', (_, signal) => createAdmin({ api, key: 'k' })('GET /sites', { signal })],
  ];
  it.each(calls)('a signal ends a %s with its reason', async (_, call) => {
    handlers = [silence];
    const controller = new AbortController();
    const failed = failure(call(siteClient(), controller.signal));
    await eventually(() => asked.length === 1);
    controller.abort(new Error('The visitor left'));
    expect((await failed).message).toBe('The visitor left');
  });

  it.each(calls)('a signal that is aborted before a %s sends nothing', async (_, call) => {
    expect((await failure(call(siteClient(), AbortSignal.abort(new Error('too late'))))).message).toBe('too late');
    expect(asked).toEqual([]);
  });
});

const SOURCES = [{ url: 'https://a.example/', title: 'A', relevance: 1, score: 1 }];
const DONE = {
  response: 'At nine.',
  answer: 'At nine.',
  sources: SOURCES,
  sessionId: 's',
  tokensUsed: 3,
  degraded: false,
};
async function allOf<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
const frame = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const stream =
  (...parts: readonly string[]): Handler =>
  async (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    for (const part of parts) {
      response.write(part);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    response.end();
  };

describe('the chat', () => {
  const question = { sessionId: 's', contextUrl: 'https://a.example/', filters: { language: 'en' } };

  it('the chat yields sources, tokens and the whole answer, however the stream is cut', async () => {
    const text =
      frame('sources', { sources: SOURCES }) +
      ': keep-alive\n\n' +
      frame('token', { text: 'At nïne\n' }) +
      frame('token', { text: '.' }) +
      frame('done', DONE);
    const events = [
      { type: 'sources', sources: SOURCES },
      { type: 'token', text: 'At nïne\n' },
      { type: 'token', text: '.' },
      { type: 'done', ...DONE },
    ];
    handlers = [
      stream(text),
      stream(...(text.match(/[\s\S]{1,7}/g) ?? [])),
      stream(text.replaceAll('\n\n', '\r\n\r\n').replaceAll(/(?<!\r)\n/g, '\r\n')),
    ];
    for (const _ of handlers) expect(await allOf(siteClient().chat('When?', question))).toEqual(events);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/v1/public/sites/a%20site/chat',
      headers: { accept: 'text/event-stream' },
    });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ message: 'When?', ...question });
  });

  it('the chat yields the same events of an answer that is not streamed', async () => {
    handlers = [json(200, DONE)];
    const events = await allOf(siteClient().chat('When?'));
    expect(events.map(({ type }) => type)).toEqual(['sources', 'token', 'done']);
  });

  it('the chat throws the error that a stream ends with', async () => {
    handlers = [
      stream(frame('sources', { sources: SOURCES }), frame('error', { error: 'Sorry', code: 'upstream_unavailable' })),
    ];
    expect(await failure(allOf(siteClient().chat('When?')))).toMatchObject({
      code: 'upstream_unavailable',
      message: 'Sorry',
    });
  });

  it('the chat throws if the stream ends before the answer', async () => {
    handlers = [stream(frame('token', { text: 'At' }))];
    expect(await failure(allOf(siteClient().chat('When?')))).toMatchObject({ code: 'unreachable' });
  });

  it('the chat throws if the connection breaks', async () => {
    handlers = [
      async (response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(frame('token', { text: 'At' }));
        setTimeout(() => response.destroy(), 20);
      },
    ];
    expect(await failure(allOf(siteClient().chat('When?')))).toMatchObject({ code: 'unreachable' });
  });

  it('the chat closes the connection when the loop is left', async () => {
    handlers = [
      (response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(frame('token', { text: 'At' }));
      },
    ];
    for await (const event of siteClient().chat('When?')) if (event.type === 'token') break;
    await eventually(() => closed.length === 1);
  });

  it('the chat ends with the reason of its signal while it is streamed', async () => {
    handlers = [
      (response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(frame('token', { text: 'At' }));
      },
    ];
    const controller = new AbortController();
    const events = siteClient().chat('When?', { signal: controller.signal });
    await events.next();
    controller.abort(new Error('closed'));
    expect((await failure(events.next())).message).toBe('closed');
  });
});

describe('events of visitors', () => {
  const click = { query: 'x', url: 'https://a.example/', position: 2 };

  it('events of visitors are sent to the site', async () => {
    handlers = [json(202, { success: true })];
    await siteClient().recordClick(click);
    await siteClient().feedback({ sessionId: 's', helpful: false, comment: 'no' });
    expect(asked.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      ['/v1/public/sites/a%20site/events', { type: 'click', ...click }],
      ['/v1/public/sites/a%20site/events', { type: 'feedback', sessionId: 's', helpful: false, comment: 'no' }],
    ]);
  });

  it('events of visitors of a group are sent to the site of the result', async () => {
    handlers = [json(202, { success: true })];
    const client = createClient({ api, group: 'g' });
    await client.recordClick({ ...click, site: 's' });
    expect(asked[0]?.url).toBe('/v1/public/sites/s/events');
    expect((await failure(client.recordClick(click))).message).toContain('Name the `site`');
  });
});

describe('the client of the whole API', () => {
  it('the client of the whole API calls an operation by its method and path', async () => {
    handlers = [json(200, { success: true })];
    const admin = createAdmin({ api: `${api}/v1`, key: 'ssk_x' });
    await admin('GET /sites/{siteId}/pages', { path: { siteId: 'a/b' }, query: { limit: 5, search: 'x y' } });
    await admin('PUT /sites/{siteId}', { path: { siteId: 's' }, body: { name: 'New' } });
    await admin('POST /public/groups/{groupId}/search', { path: { groupId: 'g' }, body: { query: 'x' } });
    await admin('GET /sites');
    expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/sites/a%2Fb/pages?limit=5&search=x+y', ''],
      ['PUT', '/api/sites/s', '{"name":"New"}'],
      ['POST', '/v1/public/groups/g/search', '{"query":"x"}'],
      ['GET', '/api/sites', ''],
    ]);
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer ssk_x' });
  });

  it('the client of the whole API answers nothing where the API does', async () => {
    handlers = [(response) => void response.writeHead(204).end()];
    const admin = createAdmin({ api, key: 'ssk_x' });
    expect(await admin('DELETE /groups/{groupId}', { path: { groupId: 'g' } })).toBeUndefined();
  });

  it('the client of the whole API refuses a path without its values', async () => {
    const admin = createAdmin({ api, key: 'ssk_x' });
    expect((await failure(admin('GET /sites/{siteId}', { path: {} } as never))).message).toContain('needs siteId');
    expect(asked).toEqual([]);
  });
});

it('the package of the client has the version of the project, and no dependency', () => {
  const manifestOf = (folder: string) =>
    JSON.parse(readFileSync(new URL(`../../../${folder}package.json`, import.meta.url), 'utf8'));
  const { version, dependencies, peerDependencies, optionalDependencies } = manifestOf('packages/client/');
  expect(version).toBe(manifestOf('').version);
  expect({ dependencies, peerDependencies, optionalDependencies }).toEqual({});
});
