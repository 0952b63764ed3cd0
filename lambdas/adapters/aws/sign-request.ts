import { createHash, createHmac } from 'node:crypto';

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
};

export type Unsigned = {
  readonly region: string;
  readonly service: string;
  /** Lower-case names; `host` and `x-amz-date` (20260102T030405Z) are among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const ALGORITHM = 'AWS4-HMAC-SHA256';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The date as AWS writes it: 20260102T030405Z. */
export const amzDate = (date: Date): string => date.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** The header `authorization` of a POST to `/` that has all these headers (AWS Signature Version 4). */
export function authorization({ region, service, headers, body }: Unsigned, credentials: Credentials): string {
  const names = Object.keys(headers).toSorted();
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names.join(';'), sha256(body)].join('\n');
  const date = headers['x-amz-date'] ?? '';
  const scope = [date.slice(0, 8), region, service, 'aws4_request'];
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, [ALGORITHM, date, scope.join('/'), sha256(canonical)].join('\n')).toString('hex');
  const credential = `${credentials.accessKeyId}/${scope.join('/')}`;
  return `${ALGORITHM} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
}
