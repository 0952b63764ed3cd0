/** A search that the CDN answered from its cache. */
export type EdgeHit = {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: 'sites' | 'groups';
  readonly id: string;
  readonly query: string;
};

const SEARCH = /^\/v1\/public\/(sites|groups)\/([0-9a-f-]{36})\/search\/?$/i;
/** CloudFront escapes the percent signs of a URL once more. */
const ENCODED_PERCENT = /%25([0-9a-f]{2})/gi;

/** Yields the searches for a first page of results in a standard log of CloudFront. It skips every other line. */
export function* edgeHits(text: string): Generator<EdgeHit> {
  let names: readonly string[] = [];
  for (const line of linesOf(text)) {
    if (line.startsWith('#Fields:')) names = line.slice('#Fields:'.length).trim().split(/\s+/);
    if (line.startsWith('#') || line === '') continue;
    const values = line.split('\t');
    const hit = hitOf(Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])));
    if (hit) yield hit;
  }
}

/** Yields lines one by one, because a file may be large. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end < 0 ? undefined : end).trimEnd();
    start = end < 0 ? text.length : end + 1;
  }
}

function hitOf(line: Readonly<Record<string, string>>): EdgeHit | undefined {
  if (line['x-edge-result-type'] !== 'Hit' || line['cs-method'] !== 'GET' || line['sc-status'] !== '200')
    return undefined;
  const [, kind, id] = SEARCH.exec(line['cs-uri-stem'] ?? '') ?? [];
  const parameters = new URLSearchParams(line['cs-uri-query']?.replaceAll(ENCODED_PERCENT, '%$1'));
  const query = parameters.get('q');
  const isFirstPage = Number(parameters.get('offset') ?? 0) === 0;
  const at = Date.parse(`${line.date}T${line.time}Z`);
  const requestId = line['x-edge-request-id'] ?? '';
  if (!kind || !id || !query || !isFirstPage || requestId === '' || !Number.isFinite(at)) return undefined;
  return { requestId, at, kind: kind.toLowerCase() as EdgeHit['kind'], id: id.toLowerCase(), query };
}
