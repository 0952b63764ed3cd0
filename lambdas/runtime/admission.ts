import type { Clock } from '../domain/clock.ts';
import { AppError, isOutage, RateLimitedError } from '../domain/errors.ts';
import type { Table } from '../domain/ports/table.ts';
import type { Caller } from '../domain/sites/access/api-key.ts';
import {
  type DefaultLimits,
  type Limit,
  type LimitedResource,
  limitsOf,
  type RateLimitSubject,
} from '../domain/sites/limits/limit.ts';
import { type CounterName, Limiter, type RateLimitStatus } from '../domain/sites/limits/limiter.ts';
import type { Route } from '../routes/route.ts';
import { type ApiEvent, clientAddress, header } from './api-event.ts';
import { log } from './log.ts';

type Limits = readonly [Limit, ...(readonly Limit[])];
type AdmissionDeps = {
  readonly table: Pick<Table, 'count'>;
  readonly clock: Clock;
  readonly defaults: DefaultLimits;
  readonly nameOf: CounterName;
};

const MAX_REMEMBERED = 10_000;

/** Admits calls within the rate limits. A process has one instance, which remembers what earlier calls have shown. */
export class Admission {
  readonly #limiter: Limiter;
  readonly #deps: AdmissionDeps;
  /** The owners of valid keys by their `Authorization` header, and the limits of sites and groups. */
  readonly #keys = new Map<string, Pick<Caller, 'keyId' | 'orgId'>>();
  readonly #places = new Map<string, LimitedResource>();

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
    const report = (message: string, error: unknown) => log(isOutage(error) ? 'warn' : 'error', message, { error });
    this.#limiter = new Limiter({ ...deps, report });
  }

  /**
   * Authorizes a call and counts it at the same time: its counters follow from its address or from an earlier call. A
   * call without access counts against its caller only. Throws if the call has no access or exceeds a limit.
   */
  async admit(route: Route, event: ApiEvent, authorize: () => Promise<void>): Promise<void> {
    const expected = this.#expected(route, event);
    const early = expected && this.#countFirst(this.#limitsOf(expected, event));
    const denial = await authorize().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const limits = this.#limitsOf(this.#counted(route, event), event);
    const first = early?.counter === limits[0].counter ? early : this.#countFirst(limits);
    const standings = [await first.standing];
    if (!denial) await this.#countAll(limits.slice(1), standings);
    this.#judge(event, standings);
    if (denial) throw denial.error;
    const isChat = 'feature' in route.access && route.access.feature === 'chat';
    if (isChat && standings.some(({ isUnknown }) => isUnknown))
      throw new AppError('upstream_unavailable', 'Chat is temporarily unavailable. Try again in a few seconds.');
  }

  /** Counts a call that matches no route, or one more of a call that has been admitted. */
  async admitUnrouted(event: ApiEvent, counted: RateLimitSubject = 'anonymous'): Promise<void> {
    const limits = this.#limitsOf(counted, event);
    const standings = [await this.#countFirst(limits).standing];
    await this.#countAll(limits.slice(1), standings);
    this.#judge(event, standings);
  }

  #limitsOf(counted: RateLimitSubject, event: ApiEvent): Limits {
    return limitsOf(counted, clientAddress(event), this.#deps.defaults);
  }

  /**
   * Counts against the first limit. If one of the limits is known to be full, counts nothing: a refused call should
   * cost nothing.
   */
  #countFirst(limits: Limits): { readonly counter: string; readonly standing: Promise<RateLimitStatus> } {
    const full = limits.find((limit) => this.#limiter.isFull(limit));
    const standing = full ? Promise.resolve(this.#limiter.standing(full)) : this.#limiter.take(limits[0]);
    return { counter: limits[0].counter, standing };
  }

  async #countAll(limits: readonly Limit[], standings: RateLimitStatus[]): Promise<void> {
    for (const limit of limits) {
      if (standings.some(isRefused)) return;
      standings.push(await this.#limiter.take(limit));
    }
  }

  /** Sets the limit with the fewest calls left, which the answer's headers show. Throws if a limit is exceeded. */
  #judge(event: ApiEvent, standings: readonly RateLimitStatus[]): void {
    event.standing = standings.toSorted((a, b) => a.remaining - b.remaining)[0];
    const refused = standings.find(isRefused);
    if (!refused) return;
    event.standing = refused;
    const { perMinute, refusedUntil } = refused;
    const retryAfter = Math.max(1, Math.ceil((refusedUntil - this.#deps.clock()) / 1000));
    const message = `Too many requests: the limit is ${perMinute} per minute. Try again in ${retryAfter} s.`;
    throw new RateLimitedError(message, retryAfter);
  }

  /** Returns what a call counts against after authorization. A call without a valid key counts against its address. */
  #counted(route: Route, event: ApiEvent): RateLimitSubject {
    if ('feature' in route.access) return visit(route, this.#placeOf(event));
    const authorization = header(event, 'authorization');
    if (!event.caller || authorization === undefined) return 'anonymous';
    const { keyId, orgId } = event.caller;
    remember(this.#keys, authorization, { keyId, orgId });
    return { keyId, orgId, ingests: route.countsAs === 'ingest' };
  }

  /** Returns what a call counts against, as far as that is known before authorization. */
  #expected(route: Route, event: ApiEvent): RateLimitSubject | undefined {
    const { siteId, groupId } = event.pathParameters ?? {};
    if ('feature' in route.access) return visit(route, this.#places.get(siteId ?? groupId ?? ''));
    const authorization = header(event, 'authorization');
    if (authorization === undefined) return 'anonymous';
    const key = this.#keys.get(authorization);
    return key && { ...key, ingests: route.countsAs === 'ingest' };
  }

  #placeOf({ site, group }: ApiEvent): LimitedResource | undefined {
    const place = site
      ? { id: site.settings.siteId, rateLimits: site.settings.rateLimits }
      : group && { id: group.groupId, rateLimits: group.rateLimits };
    if (place) remember(this.#places, place.id, place);
    return place;
  }
}

const isRefused = (standing: RateLimitStatus): standing is RateLimitStatus & { readonly refusedUntil: number } =>
  standing.refusedUntil !== undefined;

function visit({ access, countsAs }: Route, place: LimitedResource | undefined): RateLimitSubject {
  const feature = 'feature' in access && access.feature === 'chat' ? 'chat' : 'search';
  return { call: countsAs === 'suggest' || countsAs === 'event' ? countsAs : feature, place };
}

function remember<T>(known: Map<string, T>, name: string, value: T): void {
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(name, value);
}
