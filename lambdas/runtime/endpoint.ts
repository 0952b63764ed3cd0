import middy, { type MiddyfiedHandler } from '@middy/core';
import type * as z from 'zod';
import { tableReader } from '#adapters/table';
import type { Caller } from '../domain/sites/access/api-key.ts';
import type { SearchGroup } from '../domain/sites/groups/group.ts';
import type { SiteRecord } from '../domain/sites/site.ts';
import { env } from '../env.ts';
import { isSearch, type Route } from '../routes/route.ts';
import { Admission } from './admission.ts';
import { type ApiEvent, type ApiResponse, clientAddress, header } from './api-event.ts';
import { authorize } from './authorization.ts';
import type { EventReply } from './event-stream.ts';
import { log } from './log.ts';
import { failure, type Reply, success } from './responses.ts';
import { clock } from './system.ts';
import { validInput } from './validation.ts';
import { visitors } from './visitors.ts';

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/**
 * An authorized and valid request. With a key, it has its caller. On a public path, it has its site or group, and the
 * visitor's address.
 */
export type Input<R extends Route> = {
  readonly params: Output<R['params']>;
  readonly query: Output<R['query']>;
  readonly body: Output<R['body']>;
  /** Whether the client accepts server-sent events. */
  readonly wantsEvents: boolean;
  /** When the server had read the request, or the function was called, in epoch milliseconds. */
  readonly receivedAt: number;
  /** The request itself, for endpoints that pass it on. */
  readonly event: ApiEvent;
  /** Aborts when nobody waits for the answer any more. */
  readonly closed: AbortSignal;
} & (R['access'] extends { readonly scope: 'site' }
  ? { readonly site: SiteRecord; readonly address: string }
  : R['access'] extends { readonly scope: 'group' }
    ? { readonly group: SearchGroup; readonly address: string }
    : { readonly caller: Caller });

/** The type of a schema with readonly lists, as functions of the domain return them. */
type Frozen<T> = T extends object ? { readonly [Field in keyof T]: Frozen<T[Field]> } : T;
type Answer<R extends Route> = R['response'] extends z.ZodType ? Frozen<z.input<R['response']>> : undefined;

const admission = new Admission({
  table: tableReader,
  clock,
  nameOf: (counter, at) => visitors.counterName(counter, at),
  defaults: {
    searchPerAddress: env.SEARCH_PER_MINUTE_PER_IP,
    chatPerAddress: env.CHAT_PER_MINUTE_PER_IP,
    perKey: env.API_PER_MINUTE,
    ingestPerKey: env.INGEST_PER_MINUTE,
    mostPerAddress: env.MAX_PER_MINUTE_PER_IP,
  },
});

export type EndpointHandler = MiddyfiedHandler<ApiEvent, ApiResponse>;

/**
 * Creates the handler of an endpoint. The chain is: log, authorization and rate limits, validation, `answer`, response
 * or error.
 */
export function endpoint<const R extends Route>(
  route: R,
  answer: (input: Input<R>) => Promise<Answer<R> | Reply<Answer<R>> | EventReply>,
): EndpointHandler {
  return chain(route)
    .before(({ event }) =>
      admission.admit(route, event, () => authorize(route.access, event, { table: tableReader, clock })),
    )
    .before(async ({ event }) => {
      event.input = await validInput(route, event);
    })
    .handler(async (event: ApiEvent) => {
      const { input, caller, site, group } = event;
      const given = {
        ...input,
        event,
        wantsEvents: route.streams === true && acceptsEvents(event),
        receivedAt: event.receivedAt ?? clock(),
        closed: event.closed ?? new AbortController().signal,
        caller,
        site,
        group,
        address: site || group ? clientAddress(event) : undefined,
      } as unknown as Input<R>;
      return success(route, event, await answer(given));
    });
}

const acceptsEvents = (event: ApiEvent): boolean => /\btext\/event-stream\b/i.test(header(event, 'accept') ?? '');

/** Creates the handler of requests that match no route. The chain is: log, rate limit, `answer`. */
export const unrouted = (answer: (event: ApiEvent) => Promise<ApiResponse>): EndpointHandler =>
  chain()
    .before(({ event }) => admission.admitUnrouted(event))
    .handler(answer);

/** Counts a further call of a visitor: an agent that asks for an answer has asked a question too. */
export function admitChat(event: ApiEvent): Promise<void> {
  const { siteId: id, rateLimits } = event.site?.settings ?? { ...event.group, siteId: event.group?.groupId };
  const place = id === undefined || rateLimits === undefined ? undefined : { id, rateLimits };
  return admission.admitUnrouted(event, { call: 'chat', place });
}

/** Counts a call of a page that is not part of the API. Throws if its address has made too many calls. */
export const admitPage = (event: ApiEvent, counted: 'page' | 'health'): Promise<void> =>
  admission.admitUnrouted(event, counted);

const isDegraded = ({ headers }: ApiResponse): boolean => headers?.['X-Search-Degraded'] !== undefined;

function chain(route?: Route) {
  const unavailable = route && 'feature' in route.access ? 'search_unavailable' : 'upstream_unavailable';
  return middy<ApiEvent, ApiResponse>()
    .use(requestLog(route))
    .use({
      onError: (request) => {
        request.response = failure(request.error, request.event, unavailable);
      },
    });
}

/** Returns the ids in the path, such as the site's. Anything else in the path may be a secret. */
const idsOf = ({ pathParameters }: ApiEvent): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(pathParameters ?? {}).filter(([, value]) => UUID.test(value ?? '')));

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Logs id, method, path with its ids, status and duration, and whether a search was degraded. Never logs a query, a
 * body or an address.
 */
function requestLog(route: Route | undefined) {
  const started = new WeakMap<ApiEvent, number>();
  const done = ({ event, response }: { event: ApiEvent; response: ApiResponse | null | undefined }) => {
    const ms = clock() - (started.get(event) ?? clock());
    const { requestId } = event.requestContext;
    const path = route?.paths[0] ?? 'no route';
    log('info', 'request', {
      requestId,
      method: event.httpMethod,
      path,
      ...idsOf(event),
      status: response?.statusCode,
      ms,
      ...(route &&
        isSearch(route) &&
        response?.statusCode === route.status && { degraded: Number(isDegraded(response)) }),
    });
  };
  return { before: ({ event }: { event: ApiEvent }) => void started.set(event, clock()), after: done, onError: done };
}
