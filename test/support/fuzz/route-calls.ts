import * as fc from 'fast-check';
import { pathsOf, type Route, surfaceOf } from '../../../lambdas/routes/route.ts';
import type { ApiRequest } from '../api-client.ts';
import { NAUGHTY_STRINGS, naughtyText } from './naughty.ts';
import { valuesOf } from './schema-values.ts';

/** Ids that exist, by the names of path parameters. */
export type Ids = Readonly<Record<string, string>>;

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
/** Encoded bytes that are no UTF-8, and texts that are no ids. */
const BAD_SEGMENTS = ['%ff', '%00', '%ED%A0%80', '%2e%2e', 'x', '%25', '%F0%9F%91%8D', 'a'.repeat(300), UNKNOWN];

/** Calls of a route: path, query, body and headers, each right or wrong in its own way. */
export function callsOf(route: Route, ids: Ids): fc.Arbitrary<ApiRequest> {
  return fc
    .record({
      path: fc.oneof(...pathsOf(route).map((path) => pathOf(route, path, ids))),
      query: queryOf(route),
      body: bodyOf(route),
    })
    .map(({ path, query, body: { headers, body } }) => ({
      method: route.method.toUpperCase(),
      path: `${path}${query}`,
      headers,
      ...(body !== undefined && { body }),
    }));
}

function pathOf(route: Route, path: string, ids: Ids): fc.Arbitrary<string> {
  const segments = (surfaceOf(route) + path).split('/').map((segment) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name === undefined) return fc.constant(segment);
    return fc.oneof({ weight: 8, arbitrary: fc.constant(ids[name] ?? UNKNOWN) }, fc.constantFrom(...BAD_SEGMENTS));
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
}

/** A URL cannot hold half of a surrogate pair as text. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function queryOf(route: Route): fc.Arbitrary<string> {
  const own = route.query ? valuesOf(route.query) : fc.constant({});
  const more = fc.constantFrom(
    '',
    '',
    '',
    'limit=1&limit=2',
    '__proto__=1',
    'q=%ff',
    '%ff=%',
    '&&=&',
    'x[]=1',
    'cursor=%00',
  );
  return fc.tuple(own, more).map(([values, rest]) => {
    const fields = Object.entries(Object(values)).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${encoded(name)}=${encoded(text).slice(0, 10_000)}`;
    });
    const query = [...fields, rest].filter((part) => part !== '').join('&');
    return query === '' ? '' : `?${query}`;
  });
}

type Body = { readonly headers: Readonly<Record<string, string>>; readonly body?: string };

function bodyOf({ body, method }: Route): fc.Arbitrary<Body> {
  const type = { 'Content-Type': 'application/json' };
  const text = fc.record({
    headers: fc.constantFrom<Body['headers']>(
      type,
      type,
      {},
      { ...type, 'Content-Encoding': 'gzip' },
      { 'Content-Type': 'x' },
    ),
    body: naughtyText,
  });
  if (method === 'get') return fc.constant({ headers: {} });
  if (!body) return fc.oneof({ weight: 9, arbitrary: fc.constant({ headers: {} }) }, text);
  const json = valuesOf(body).map((value) => ({ headers: type, body: JSON.stringify(value) ?? '' }));
  return fc.oneof({ weight: 9, arbitrary: json }, text);
}

/** Headers that say who calls, and more of them than expected. */
export const callerHeaders = (apiKey: string): fc.Arbitrary<Readonly<Record<string, string>>> => {
  const printable = NAUGHTY_STRINGS.filter((text) => /^[\x20-\x7e]{1,100}$/.test(text) && text.trim() === text);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant({ Authorization: `Bearer ${apiKey}` }) },
    fc.constantFrom(...printable).map((Origin) => ({ Authorization: `Bearer ${apiKey}`, Origin, Referer: Origin })),
    fc.constantFrom(...printable).map((text) => ({ Authorization: text, 'X-Client-IP': text, Accept: text })),
    fc.constant({}),
  );
};
