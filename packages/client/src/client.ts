import { type ChatEvent, chatEvents } from './chat-events.ts';
import type { components } from './openapi.ts';
import { SearchError } from './search-error.ts';
import { type Connection, isTooLong, type Request, send, sendForJson, urlOf } from './send.ts';

type Schemas = components['schemas'];
export type Filters = Schemas['Filters'];
export type SearchResponse = Schemas['SearchResponse'];
export type GroupSearchResponse = Schemas['GroupSearchResponse'];
export type FacetsResponse = Schemas['FacetsResponse'];
export type SuggestResponse = Schemas['SuggestResponse'];

type Signal = { readonly signal?: AbortSignal | undefined };
export type SearchOptions = Omit<Schemas['SearchRequest'], 'query'> & Signal;
export type FacetsOptions = { readonly q?: string; readonly filters?: Filters } & Signal;
export type ChatOptions = Pick<Schemas['ChatRequest'], 'sessionId' | 'filters' | 'contextUrl'> & Signal;
/** Events belong to a site. A client of a group names that of the result. */
type OfSite = { readonly site?: string } & Signal;
export type Click = Omit<Schemas['Click'], 'type'> & OfSite;
export type Feedback = Omit<Schemas['Feedback'], 'type'> & OfSite;

export type SiteOptions = { readonly site: string; readonly group?: never };
export type GroupOptions = { readonly group: string; readonly site?: never };
export type ClientOptions = Connection &
  (SiteOptions | GroupOptions) & {
    /** Searches do not end older ones: for a server, which searches for several people at once. @default false */
    readonly parallel?: boolean;
  };

export type Client<Found extends SearchResponse = SearchResponse> = {
  /** Best results first. A newer search ends an older one that is still running, with an `AbortError`. */
  readonly search: (query: string, options?: SearchOptions) => Promise<Found>;
  /** Titles of pages and frequent queries. A newer call ends an older one, as for searches. */
  readonly suggest: (query: string, options?: Signal) => Promise<SuggestResponse>;
  /** The values of fields with the number of pages: of all, or of those that are found by `q`. */
  readonly facets: (options?: FacetsOptions) => Promise<FacetsResponse>;
  /** The answer to a question while it is written. To stop it, leave the loop or abort the signal. */
  readonly chat: (question: string, options?: ChatOptions) => AsyncGenerator<ChatEvent, void>;
  /** Tells the owner's figures that a visitor opened a result; `position` is 1 for the first. */
  readonly recordClick: (click: Click) => Promise<void>;
  /** Tells the owner's figures whether an answer helped. */
  readonly feedback: (feedback: Feedback) => Promise<void>;
};

export function createClient(options: ClientOptions & SiteOptions): Client;
export function createClient(options: ClientOptions & GroupOptions): Client<GroupSearchResponse>;
export function createClient(options: ClientOptions): Client<SearchResponse | GroupSearchResponse>;
export function createClient(options: ClientOptions): Client<GroupSearchResponse> {
  const { site, group, parallel = false } = options;
  if (!site === !group) throw new TypeError('Name a site or a group, and not both.');
  const path = group ? `/public/groups/${encodeURIComponent(group)}` : pathOf(site);
  const get = <Body>(part: string, query: Request['query'], signal: AbortSignal | undefined) =>
    sendForJson<Body>(options, `${path}/${part}`, { method: 'GET', query, signal, isRead: true });

  /** By GET, which a CDN may answer, unless the address would be too long. */
  function found(query: string, fields: object, signal: AbortSignal): Promise<GroupSearchResponse> {
    const parameters = { q: query, ...fields };
    if (!isTooLong(urlOf(options, `${path}/search`, parameters))) return get('search', parameters, signal);
    const body = { query, ...fields };
    return sendForJson(options, `${path}/search`, { method: 'POST', body, signal, isRead: true });
  }

  async function record(type: string, { site: named = site, signal, ...event }: Click | Feedback): Promise<void> {
    if (!named) throw new TypeError('Name the `site` of the event: a group has none of its own.');
    const body = { type, ...event };
    await send(options, `${pathOf(named)}/events`, { method: 'POST', body, signal, keepalive: true });
  }

  const latestSearch = parallel ? anyOf : latestOf();
  const latestSuggest = parallel ? anyOf : latestOf();
  return {
    search: (query, { signal, ...fields } = {}) => latestSearch(signal, (either) => found(query, fields, either)),
    suggest: (query, { signal } = {}) => latestSuggest(signal, (either) => get('suggest', { q: query }, either)),
    facets: ({ signal, ...fields } = {}) => get('facets', fields, signal),
    async *chat(message, { signal, ...fields } = {}) {
      const body = { message, ...fields };
      const accept = 'text/event-stream';
      const response = await send(options, `${path}/chat`, { method: 'POST', body, accept, signal });
      try {
        yield* chatEvents(response);
      } catch (cause) {
        signal?.throwIfAborted();
        if (cause instanceof SearchError) throw cause;
        throw new SearchError('unreachable', 'The answer broke off.', { status: response.status, cause });
      }
    },
    recordClick: (click) => record('click', click),
    feedback: (feedback) => record('feedback', feedback),
  };
}

const pathOf = (site: string | undefined): string => `/public/sites/${encodeURIComponent(site ?? '')}`;

type Run = <Answer>(signal: AbortSignal | undefined, call: (either: AbortSignal) => Promise<Answer>) => Promise<Answer>;

const anyOf: Run = (signal, call) => call(signal ?? new AbortController().signal);

/** Runs one call at a time: the next aborts it. */
function latestOf(): Run {
  let running: AbortController | undefined;
  return async (signal, call) => {
    running?.abort(new DOMException('A newer call has replaced this one.', 'AbortError'));
    signal?.throwIfAborted();
    const own = new AbortController();
    running = own;
    const abort = () => own.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      const answer = await call(own.signal);
      own.signal.throwIfAborted();
      return answer;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  };
}
