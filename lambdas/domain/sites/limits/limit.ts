import { networkOf } from '../../../text/web/address.ts';
import type { RateLimits } from '../site-settings.ts';

/** A number of calls per minute, and the counter that it applies to. */
export type Limit = { readonly counter: string; readonly perMinute: number };

const ADDRESS = 'ADDRESS#';
/** Whether the counter's name has an address, which is not stored. */
export const isOfAddress = (counter: string): boolean => counter.startsWith(ADDRESS);

/** The limits that apply unless a site or group has its own. */
export type DefaultLimits = {
  readonly searchPerAddress: number;
  readonly chatPerAddress: number;
  readonly perKey: number;
  readonly ingestPerKey: number;
};

export const DEFAULT_LIMITS: DefaultLimits = {
  searchPerAddress: 60,
  chatPerAddress: 20,
  perKey: 1000,
  ingestPerKey: 60,
};

/** What a visitor's call counts as. Each kind has counters of its own. */
export type VisitorCall = 'search' | 'suggest' | 'event' | 'chat';

/** A search box asks for suggestions at each pause in typing. */
const SUGGESTIONS_PER_SEARCH = 4;

/** Who is counted. `place` is the site or group of a public path, once it is known. */
export type Counted =
  | { readonly keyId: string; readonly ingests: boolean }
  | { readonly call: VisitorCall; readonly place?: Place | undefined }
  | 'stranger';

export type Place = { readonly id: string; readonly rateLimits: RateLimits };

/** The limits of a call, first the one of its caller. All of them must admit it. */
export function limitsOf(
  counted: Counted,
  address: string,
  defaults: DefaultLimits,
): readonly [Limit, ...(readonly Limit[])] {
  const network = networkOf(address);
  if (counted === 'stranger') return [{ counter: `${ADDRESS}${network}#api`, perMinute: defaults.perKey }];
  if ('call' in counted) return visitorLimits(counted.call, counted.place, network, defaults);
  const key = { counter: `KEY#${counted.keyId}#api`, perMinute: defaults.perKey };
  // The tighter limit first: a refused call should cost nothing.
  return counted.ingests ? [{ counter: `KEY#${counted.keyId}#ingest`, perMinute: defaults.ingestPerKey }, key] : [key];
}

function visitorLimits(
  call: VisitorCall,
  place: Place | undefined,
  network: string,
  { searchPerAddress, chatPerAddress }: DefaultLimits,
): readonly [Limit, ...(readonly Limit[])] {
  const { searchPerMinute, chatPerMinute, perIpPerMinute } = place?.rateLimits ?? {};
  const isChat = call === 'chat';
  const factor = call === 'suggest' ? SUGGESTIONS_PER_SEARCH : 1;
  const ofAddress = isChat
    ? Math.min(chatPerAddress, perIpPerMinute ?? Infinity)
    : (perIpPerMinute ?? searchPerAddress);
  // By default an address is counted over all sites and groups.
  const where = perIpPerMinute === undefined ? '' : `#${place?.id}`;
  const address = { counter: `${ADDRESS}${network}#${call}${where}`, perMinute: factor * ofAddress };
  const ofPlace = isChat ? chatPerMinute : searchPerMinute;
  if (place === undefined || ofPlace === undefined) return [address];
  return [address, { counter: `PLACE#${place.id}#${call}`, perMinute: factor * ofPlace }];
}
