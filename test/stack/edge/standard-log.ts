import { randomUUID } from 'node:crypto';

/** The fields of CloudFront's standard log, in their order. */
const FIELDS = [
  ...['date', 'time', 'x-edge-location', 'sc-bytes', 'c-ip', 'cs-method', 'cs(Host)', 'cs-uri-stem', 'sc-status'],
  ...['cs(Referer)', 'cs(User-Agent)', 'cs-uri-query', 'cs(Cookie)', 'x-edge-result-type', 'x-edge-request-id'],
  ...['x-host-header', 'cs-protocol', 'cs-bytes', 'time-taken', 'x-forwarded-for', 'ssl-protocol', 'ssl-cipher'],
  ...['x-edge-response-result-type', 'cs-protocol-version', 'fle-status', 'fle-encrypted-fields', 'c-port'],
  ...['time-to-first-byte', 'x-edge-detailed-result-type', 'sc-content-type', 'sc-content-len', 'sc-range-start'],
  'sc-range-end',
];

export type LoggedRequest = {
  readonly ip: string;
  readonly method: string;
  readonly uri: string;
  readonly query: string;
  readonly status: number;
  readonly result: 'Hit' | 'Miss' | 'Error';
};

/** The requests of an edge location as the text of a log file. */
export function standardLog(requests: readonly LoggedRequest[]): string {
  const lines = requests.map(({ ip, method, uri, query, status, result }) => {
    const [date = '', time = ''] = new Date().toISOString().split(/[T.]/);
    const known: Readonly<Record<string, string>> = {
      date,
      time,
      'c-ip': ip,
      'cs-method': method,
      'cs-uri-stem': uri,
      'sc-status': String(status),
      'cs-uri-query': query || '-',
      'x-edge-result-type': result,
      'x-edge-request-id': randomUUID(),
      'x-edge-response-result-type': result,
      'x-edge-detailed-result-type': result,
    };
    return FIELDS.map((name) => known[name] ?? '-').join('\t');
  });
  return ['#Version: 1.0', `#Fields: ${FIELDS.join(' ')}`, ...lines, ''].join('\n');
}
