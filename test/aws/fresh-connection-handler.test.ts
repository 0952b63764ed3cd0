import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FreshConnectionHandler } from '../../lambdas/aws/fresh-connection-handler.ts';
import { type Answer, answer, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';

const credentials = { accessKeyId: 'engine', secretAccessKey: 'tests' };
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** A client, and the client port of each request: it identifies the connection. */
async function clientOn(requestHandler: FreshConnectionHandler, respond: Answer = answer(200, {})) {
  const connections: (number | undefined)[] = [];
  server = await scriptedServer((response, request) => {
    connections.push(request.socket.remotePort);
    respond(response, request);
  });
  const options = { endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1, requestHandler };
  const client = new DynamoDBClient(options);
  return { connections, request: () => client.send(new ListTablesCommand()) };
}

describe('the connections to an AWS service', () => {
  it('connections stay open from one request to the next', async () => {
    const { connections, request } = await clientOn(new FreshConnectionHandler());
    await request();
    await request();
    expect(connections[1]).toBe(connections[0]);
  });

  it('connections are replaced after a long idle time', async () => {
    const { connections, request } = await clientOn(new FreshConnectionHandler(0));
    await request();
    await request();
    expect(connections[1]).not.toBe(connections[0]);
  });

  it('connections stay open while a request waits on them', async () => {
    const { promise: arrived, resolve: hold } = Promise.withResolvers<() => void>();
    const { connections, request } = await clientOn(new FreshConnectionHandler(0), (response, request) => {
      const respondNow = () => answer(200, {})(response, request);
      if (connections.length === 1) hold(respondNow);
      else respondNow();
    });
    const first = request();
    const respondNow = await arrived;
    await request();
    respondNow();
    expect((await first).$metadata.httpStatusCode).toBe(200);
  });
});
