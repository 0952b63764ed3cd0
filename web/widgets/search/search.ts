import {
  type Client,
  createClient,
  type GroupSearchResponse,
  type SearchOptions,
  type SearchResponse,
} from '../../../packages/client/src/client.ts';
import { SearchError } from '../../../packages/client/src/search-error.ts';
import { tellOwner } from '../answer/owner-hint.ts';
import { objectOf } from '../labels/labels.ts';
import type { SiteSearchElement } from '../loader/elements.ts';
import { tell } from './tell.ts';

/** A page that was found, in a site or a group. */
export type Hit = SearchResponse['results'][number] & Partial<GroupSearchResponse['results'][number]>;
export type Found = Omit<SearchResponse, 'results' | 'closest'> & {
  readonly results: readonly Hit[];
  readonly closest?: readonly Hit[];
};
export type SearchClient = Client<Found & SearchResponse>;

export type Search = {
  /** As it was typed, without blanks around it. */
  readonly query: string;
  readonly isExact: boolean;
  /** The answer to this query, or while it is on its way, to the one before. */
  readonly found: Found | undefined;
  readonly error: SearchError | undefined;
  /** In epoch milliseconds: the service refuses an earlier search. */
  readonly waitsUntil: number | undefined;
  readonly isRunning: boolean;
  readonly client: SearchClient;
  /** Searches once nobody has typed for a moment. */
  readonly soon: (query: string) => void;
  readonly now: (query: string, how?: { readonly exact?: boolean; readonly limit?: number }) => Promise<void>;
  readonly again: () => Promise<void>;
  /** Adds the next results to the list. */
  readonly more: () => Promise<void>;
  readonly stop: () => void;
};

export type SearchParts = {
  readonly host: SiteSearchElement;
  /** Renders the widget. */
  readonly update: () => void;
  readonly options: () => SearchOptions;
  /** There is another answer. */
  readonly answered?: (found: Found) => void;
};

const PAUSE_MS = 180;
const MORE = 10;
/** A network that is back takes a moment. */
const RESUME_MS = 500;

/** The filters that the page sets. */
export const filtersOf = (host: Element): NonNullable<SearchOptions['filters']> =>
  objectOf(host, 'filters') as NonNullable<SearchOptions['filters']>;

/** Returns a function that tells whether an attribute of ours has changed since the last call. */
export function changesOf(host: Element): () => boolean {
  let last = '';
  return () => {
    const ours = [...host.attributes].filter(({ name }) => !/^(?:class|style|id|slot|hidden)$/.test(name));
    const settings = JSON.stringify(ours.map(({ name, value }) => [name, value]));
    const isChanged = settings !== last;
    last = settings;
    return isChanged;
  };
}

/** The search of one widget: its query, and what the service says to it. */
export function createSearch({ host, update, options, answered }: SearchParts): Search {
  let [query, isExact, isRunning] = ['', false, false];
  let found: Found | undefined;
  let error: SearchError | undefined;
  let waitsUntil: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();
  const clients = new Map<string, SearchClient>();

  function client(): SearchClient {
    const [site, group] = [host.getAttribute('site') || '', host.getAttribute('group') || ''];
    const key = JSON.stringify([host.api, site, group]);
    const known = clients.get(key) ?? createClient({ api: host.api, ...(group ? { group } : { site }) });
    clients.set(key, known as SearchClient);
    return known as SearchClient;
  }

  function stop(): void {
    clearTimeout(timer);
    running.abort();
    isRunning = false;
  }

  /** Calls the service, unless it has asked to wait. */
  async function call(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    stop();
    if (waitsUntil) return update();
    running = new AbortController();
    const { signal } = running;
    isRunning = true;
    update();
    try {
      await work(signal);
      error = undefined;
    } catch (cause) {
      if (signal.aborted) return;
      fail(cause);
    }
    isRunning = false;
    update();
  }

  function fail(cause: unknown): void {
    error = cause instanceof SearchError ? cause : new SearchError('unexpected_answer', String(cause), { cause });
    tellOwner(host, error);
    if (!error.retryAfter) return;
    waitsUntil = Date.now() + error.retryAfter * 1000;
    countDown();
  }

  /** Shows the seconds that are left, and then searches for what was typed last. */
  function countDown(): void {
    if (waitsUntil && waitsUntil > Date.now()) {
      update();
      setTimeout(countDown, 1000);
      return;
    }
    waitsUntil = undefined;
    void again();
  }

  async function now(
    text: string,
    { exact = false, limit }: { readonly exact?: boolean; readonly limit?: number } = {},
  ): Promise<void> {
    query = text.trim();
    isExact = exact;
    if (query === '') {
      stop();
      found = undefined;
      error = undefined;
      return update();
    }
    const given = { ...options(), ...(exact && { exact }), ...(limit && { limit }) };
    await call(async (signal) => {
      const answer = await client().search(query, { ...given, signal });
      found = answer;
      tell(host, 'query', { query, totalResults: answer.totalResults, results: answer.results });
      answered?.(answer);
    });
  }

  const again = () => now(query, { exact: isExact });

  const more = () =>
    call(async (signal) => {
      const offset = found?.results.length ?? 0;
      const given = { ...options(), ...(isExact && { exact: true }), limit: MORE, offset };
      const next = await client().search(query, { ...given, signal });
      const known = new Set(found?.results.map(({ url }) => url));
      if (found)
        found = { ...found, results: [...found.results, ...next.results.filter(({ url }) => !known.has(url))] };
    });

  addEventListener('online', () => setTimeout(resume, RESUME_MS));

  function resume(): void {
    if (error?.code === 'unreachable' && host.isConnected) void again();
  }

  return {
    get query() {
      return query;
    },
    get isExact() {
      return isExact;
    },
    get found() {
      return found;
    },
    get error() {
      return error;
    },
    get waitsUntil() {
      return waitsUntil;
    },
    get isRunning() {
      return isRunning;
    },
    get client() {
      return client();
    },
    soon(text) {
      clearTimeout(timer);
      if (text.trim() === '') void now('');
      else timer = setTimeout(() => void now(text), PAUSE_MS);
    },
    now,
    again,
    more,
    stop,
  };
}
