import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The access key of a process that acts as a role. */
export type AccessKey = {
  readonly id: string;
  readonly secret: string;
  readonly sessionToken: string;
  readonly role: string;
};

export type SignedRequest = {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Scope = { readonly key: AccessKey; readonly region: string; readonly service: string };

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
const MAX_SKEW_MS = 5 * 60_000;

/** Checks the Signature Version 4 of a request; throws an error that says what is wrong with it. */
export function verifySignature(
  request: SignedRequest,
  { keyOf, now }: { readonly keyOf: (id: string) => AccessKey | undefined; readonly now: number },
): Scope {
  const { headers } = request;
  const parts = AUTHORIZATION.exec(headers.authorization ?? '');
  if (!parts) throw new Error(`not signed: ${headers.authorization ?? 'no Authorization header'}`);
  const [, id = '', day = '', region = '', service = '', signedHeaders = '', signature = ''] = parts;
  const key = keyOf(id);
  if (!key) throw new Error(`unknown access key ${id}`);
  if (headerOf(headers, 'x-amz-security-token') !== key.sessionToken) throw new Error('wrong session token');
  const time = headerOf(headers, 'x-amz-date');
  if (Math.abs(timeOf(time) - now) > MAX_SKEW_MS) throw new Error(`signed at ${time}, which is too far from now`);
  const names = signedHeaders.split(';');
  for (const name of ['host', ...Object.keys(headers).filter((each) => each.startsWith('x-amz-'))])
    if (!names.includes(name)) throw new Error(`the header ${name} is not signed`);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest(request, service, names))].join('\n');
  const signingKey = [day, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${key.secret}`));
  if (!timingSafeEqual(hmac(signingKey, text), Buffer.from(signature, 'hex'))) throw new Error('wrong signature');
  return { key, region, service };
}

function canonicalRequest({ method, path, headers, body }: SignedRequest, service: string, names: readonly string[]) {
  const [rawPath = '/', query = ''] = path.split(/\?(.*)/s);
  const stated = headerOf(headers, 'x-amz-content-sha256');
  const payload = sha256(body);
  if (stated !== '' && stated !== payload) throw new Error(`the hash of the body is ${payload}, not ${stated}`);
  return [
    method,
    // S3 takes the path as it was sent; other services encode it once more.
    service === 's3' ? rawPath : rawPath.split('/').map(encode).join('/'),
    canonicalQuery(query),
    ...names.map((name) => `${name}:${headerOf(headers, name).trim().replace(/\s+/g, ' ')}`),
    '',
    names.join(';'),
    payload,
  ].join('\n');
}

const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      return `${encode(decodeURIComponent(name))}=${encode(decodeURIComponent(value))}`;
    })
    .toSorted()
    .join('&');

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const headerOf = (headers: IncomingHttpHeaders, name: string): string => [headers[name] ?? ''].flat().join(',');
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
/** `20261124T150000Z` */
const timeOf = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
