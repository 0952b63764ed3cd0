/** Constants that the round trips in TypeScript share: the address of the service, and what they send. */

type Service = { readonly baseUrl: string; readonly publicUrl: string; readonly apiKey: string };

export const service: Service = JSON.parse(process.env.SERVICE ?? '');

export const NEW_SITE = {
  name: 'Harbour',
  baseUrl: 'https://www.example.com/',
  publicAccess: { enabled: true, allowedDomains: ['*'] },
};
export const PAGE = {
  url: '/tides',
  content: '<h1>Tides</h1><p>High tide in the harbour is at noon on the first of May.</p>',
  tags: ['tides'],
};
export const QUERY = 'When is high tide in the harbour?';

/** The value, or an error that shows what came in its place. */
export function expected<Value>(value: Value, what: string, instead?: unknown): NonNullable<Value> {
  if (value) return value;
  throw new Error(`Expected ${what}, but got ${JSON.stringify(instead)}`);
}
