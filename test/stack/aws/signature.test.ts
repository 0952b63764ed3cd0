import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessKeys } from './access-keys.ts';
import { type SignedRequest, verifySignature } from './signature.ts';

const keys = new AccessKeys();
const key = keys.ofRole('arn:aws:iam::111122223333:role/worker');
const verified = (request: SignedRequest, now = Date.now()) => verifySignature(request, { keyOf: keys.byId, now });

describe('the signature of a call of the SDK', () => {
  const calls: SignedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    calls.push({ method, path, headers, body: await buffer(request) });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const credentials = { accessKeyId: key.id, secretAccessKey: key.secret, sessionToken: key.sessionToken };
    const settings = { endpoint, credentials, region: 'eu-west-1' };
    const table = new DynamoDBClient(settings);
    await table.send(new GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } }));
    const bucket = new S3Client({ ...settings, forcePathStyle: true });
    await bucket.send(new PutObjectCommand({ Bucket: 'b', Key: 'a b/ü+.json', Body: 'text' }));
    await bucket.send(new ListObjectsV2Command({ Bucket: 'b', Prefix: 'a b/*' })).catch(() => undefined);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('is verified', () => {
    expect(calls.map((call) => verified(call).service)).toEqual(['dynamodb', 's3', 's3']);
    expect(verified(calls[0] as SignedRequest)).toMatchObject({ key, region: 'eu-west-1' });
  });

  it('fits nothing else', () => {
    for (const call of calls) {
      expect(() => verified({ ...call, path: `${call.path}x` })).toThrow('wrong signature');
      expect(() => verified({ ...call, method: 'DELETE' })).toThrow('wrong signature');
      expect(() => verified({ ...call, body: Buffer.from('other') })).toThrow();
      expect(() => verified(call, Date.now() + 600_000)).toThrow('too far from now');
      const { authorization, ...unsigned } = call.headers;
      expect(() => verified({ ...call, headers: unsigned })).toThrow('not signed');
      expect(() => verified({ ...call, headers: { ...call.headers, 'x-amz-acl': 'public' } })).toThrow('is not signed');
    }
  });
});
