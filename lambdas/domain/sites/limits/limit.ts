import { networkOf, subscriberOf } from '../../../text/web/address.ts';
import type { RateLimits } from '../site-settings.ts';

/** A maximum number of calls per minute, and the counter to which it applies. */
export type Limit = { readonly counter: string; readonly perMinute: number };

const ADDRESS = 'ADDRESS#';
/** Returns whether the counter's name contains an address, which must not be stored. */
export const isOfAddress = (counter: string): boolean => counter.startsWith(ADDRESS);

/** The limits that apply unless a site or group sets its own. */
export type DefaultLimits = {
  readonly searchPerAddress: number;
  readonly chatPerAddress: number;
  readonly perKey: number;
  readonly ingestPerKey: number;
  /** The highest limit that a site or group may set for its visitors' addresses. */
  readonly mostPerAddress: number;
};

export const DEFAULT_LIMITS: DefaultLimits = {
  searchPerAddress: 60,
  chatPerAddress: 20,
  perKey: 1000,
  ingestPerKey: 60,
  mostPerAddress: 1000,
};

/** An organisation's keys share this many times the limit of one key. */
const KEYS_PER_ORGANISATION = 10;
/** The /64 networks of an IPv6 /48 share this many times the limit of one network. */
const NETWORKS_PER_SUBSCRIBER = 10;

/** Approximate number of files that a web page loads. */
const FILES_PER_PAGE = 10;

/** The kind of a visitor's call. Each kind has separate counters. */
export type VisitorCall = 'search' | 'suggest' | 'event' | 'chat';

/** Factor for suggestions, because a search box asks for them at each pause in typing. */
const SUGGESTIONS_PER_SEARCH = 4;

/** The caller that is counted. `place` is the site or group of a public path, once it is known. */
export type RateLimitSubject =
  | { readonly keyId: string; readonly orgId: string; readonly ingests: boolean }
  | { readonly call: VisitorCall; readonly place?: LimitedResource | undefined }
  | Anonymous;

/** Calls that only count against their address: API calls without a key, pages and files, and `/health`. */
export type Anonymous = 'anonymous' | 'page' | 'health';

export type LimitedResource = { readonly id: string; readonly rateLimits: RateLimits };

/** Returns the limits of a call, that of its caller first. All of them must admit the call. */
export function limitsOf(
  counted: RateLimitSubject,
  address: string,
  defaults: DefaultLimits,
): readonly [Limit, ...(readonly Limit[])] {
  if (counted === 'anonymous') return addressLimits(address, 'api', defaults.perKey);
  if (counted === 'page') return addressLimits(address, counted, FILES_PER_PAGE * defaults.perKey);
  if (counted === 'health') return addressLimits(address, counted, defaults.perKey);
  if ('call' in counted) return visitorLimits(counted.call, counted.place, address, defaults);
  const { keyId, orgId, ingests } = counted;
  const limit = (who: string, what: string, perMinute: number): Limit => ({ counter: `${who}#${what}`, perMinute });
  const key = limit(`KEY#${keyId}`, 'api', defaults.perKey);
  // The tighter limit comes first, because a refused call should cost nothing.
  if (!ingests) return [key, limit(`ORG#${orgId}`, 'api', KEYS_PER_ORGANISATION * defaults.perKey)];
  const ofOrganisation = limit(`ORG#${orgId}`, 'ingest', KEYS_PER_ORGANISATION * defaults.ingestPerKey);
  return [limit(`KEY#${keyId}`, 'ingest', defaults.ingestPerKey), key, ofOrganisation];
}

/** Returns the limits of an address. An IPv6 address also counts for its /48, all of which one subscriber may have. */
function addressLimits(address: string, what: string, perMinute: number): readonly [Limit, ...(readonly Limit[])] {
  const [network, wider] = [networkOf(address), subscriberOf(address)];
  const own = { counter: `${ADDRESS}${network}#${what}`, perMinute };
  if (wider === network) return [own];
  return [own, { counter: `${ADDRESS}${wider}#${what}`, perMinute: NETWORKS_PER_SUBSCRIBER * perMinute }];
}

function visitorLimits(
  call: VisitorCall,
  place: LimitedResource | undefined,
  address: string,
  { searchPerAddress, chatPerAddress, mostPerAddress }: DefaultLimits,
): readonly [Limit, ...(readonly Limit[])] {
  const { searchPerMinute, chatPerMinute, perIpPerMinute } = place?.rateLimits ?? {};
  const ownOfAddress = perIpPerMinute === undefined ? undefined : Math.min(perIpPerMinute, mostPerAddress);
  const isChat = call === 'chat';
  const factor = call === 'suggest' ? SUGGESTIONS_PER_SEARCH : 1;
  const ofAddress = isChat ? Math.min(chatPerAddress, ownOfAddress ?? Infinity) : (ownOfAddress ?? searchPerAddress);
  // By default an address is counted across all sites and groups.
  const where = perIpPerMinute === undefined ? '' : `#${place?.id}`;
  const limits = addressLimits(address, `${call}${where}`, factor * ofAddress);
  const ofPlace = isChat ? chatPerMinute : searchPerMinute;
  if (place === undefined || ofPlace === undefined) return limits;
  return [...limits, { counter: `PLACE#${place.id}#${call}`, perMinute: factor * ofPlace }];
}
