import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { AwsCall } from './aws-call.ts';
import { askEngine, type EngineAnswer } from './engine-request.ts';

const VERSION = /<Version>(.*?)<\/Version>/gs;
const KEY = /<Key>(.*?)<\/Key>/s;

/**
 * S3 on S3Mock, which has the bucket in the path instead of the host. S3Mock also lists objects that have been removed
 * from a bucket with versions (5.2.0); so a list is made here, from that of the versions.
 */
export class S3Backend {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  readonly answer = async (call: AwsCall, headers: IncomingMessage['headers']): Promise<EngineAnswer> => {
    const [bucket = ''] = call.host.split('.s3.');
    const { searchParams } = new URL(call.path, 'http://s3');
    if (searchParams.get('list-type') === '2') return this.#list(bucket, searchParams);
    const path = `/${bucket}${call.path === '/' ? '' : call.path.replace(/^\/\?/, '?')}`;
    return askEngine(this.#url, { ...call, headers, path });
  };

  async #list(bucket: string, parameters: URLSearchParams): Promise<EngineAnswer> {
    const prefix = parameters.get('prefix') ?? '';
    const path = `/${bucket}?versions=&max-keys=100000&prefix=${encodeURIComponent(prefix)}`;
    const { status, body } = await askEngine(this.#url, { method: 'GET', path, headers: {}, body: Buffer.alloc(0) });
    const versions = String(body);
    if (status !== 200 || versions.includes('<IsTruncated>true')) throw new Error(`no list of versions: ${versions}`);
    const latest = [...versions.matchAll(VERSION)].filter(([, version]) => version?.includes('<IsLatest>true'));
    const keys = latest.map(([version]) => KEY.exec(version)?.[1] ?? '').toSorted();
    const later = keys.filter((key) => key > (parameters.get('start-after') ?? ''));
    const listed = later.slice(0, Number(parameters.get('max-keys') ?? 1000));
    const contents = listed.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    const counts = `<KeyCount>${listed.length}</KeyCount><IsTruncated>${listed.length < later.length}</IsTruncated>`;
    const xml = `<ListBucketResult><Name>${bucket}</Name>${counts}${contents}</ListBucketResult>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(xml) };
  }
}

/** Answers an operator in the same way, who needs no permission here and names the bucket in the path. */
export async function serveToOperator(backend: S3Backend): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers, url = '/' } = request;
    const [, bucket = '', rest = ''] = /^\/([^/?]+)(.*)$/s.exec(url) ?? [];
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    const call = { host: `${bucket}.s3.`, method, path, target: '', body: await buffer(request) };
    const answer = await backend.answer(call, headers);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
