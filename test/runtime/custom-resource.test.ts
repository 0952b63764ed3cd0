import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { customResource } from '../../lambdas/runtime/custom-resource.ts';

const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Index' };
const DENIED = 'OpenSearch is unavailable with status 403: not authorized to perform: es:ESHttpPut';

describe('a custom resource', () => {
  const answers: { readonly body: unknown; readonly type: string | undefined }[] = [];
  let server: Server;
  let ResponseURL: string;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      answers.push({ body: JSON.parse(await text(request)), type: request.headers['content-type'] });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ResponseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => void server.close());
  beforeEach(() => void answers.splice(0));

  async function answerTo(
    RequestType: CloudFormationCustomResourceEvent['RequestType'],
    run: () => Promise<void>,
    remainingMs = 120_000,
    remove: () => Promise<void> = async () => undefined,
  ) {
    const event = { ...ids, RequestType, ResponseURL, ResourceProperties: { ServiceToken: 'arn', shards: '1' } };
    await customResource('index', { run, remove })(event as unknown as CloudFormationCustomResourceEvent, {
      getRemainingTimeInMillis: () => remainingMs,
    });
    expect(answers).toHaveLength(1);
    return answers[0];
  }

  it('tells CloudFormation that it succeeded, without a content type, for which the URL is not signed', async () => {
    const body = { Status: 'SUCCESS', PhysicalResourceId: 'index', ...ids };
    expect(await answerTo('Create', async () => undefined)).toEqual({ body, type: undefined });
  });

  it('tells why it failed', async () => {
    const run = async () => {
      throw new Error(DENIED);
    };
    expect(await answerTo('Update', run)).toMatchObject({ body: { Status: 'FAILED', Reason: DENIED } });
  });

  it('answers before its function is stopped', async () => {
    const never = () => new Promise<void>(() => undefined);
    expect(await answerTo('Create', never, 10_050)).toMatchObject({
      body: { Status: 'FAILED', Reason: expect.stringMatching(/^No result/) },
    });
  });

  it('keeps a long reason within what CloudFormation takes', async () => {
    const run = async () => {
      throw new Error('x'.repeat(10_000));
    };
    expect(JSON.stringify((await answerTo('Create', run))?.body).length).toBeLessThan(4096);
  });

  it('only removes when the stack is deleted, and tells why that failed', async () => {
    const steps: string[] = [];
    const run = async () => void steps.push('run');
    const remove = async () => void steps.push('remove');
    expect(await answerTo('Delete', run, 120_000, remove)).toMatchObject({ body: { Status: 'SUCCESS' } });
    expect(steps).toEqual(['remove']);
    answers.splice(0);
    const fail = () => Promise.reject(new Error(DENIED));
    expect(await answerTo('Delete', run, 120_000, fail)).toMatchObject({ body: { Status: 'FAILED', Reason: DENIED } });
  });
});
