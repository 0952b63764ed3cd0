import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FreshConnectionHandler } from '../../../lambdas/adapters/aws/fresh-connection-handler.ts';
import { type Answer, answer, type ScriptedServer, scriptedServer } from '../../support/scripted-server.ts';

const credentials = { accessKeyId: 'engine', secretAccessKey: 'tests' };
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** A client, and the connection on which each of its requests came. */
async function clientOn(requestHandler: FreshConnectionHandler, respond: Answer = answer(200, {})) {
  const connections: (number | undefined)[] = [];
  server = await scriptedServer((response, request) => {
    connections.push(request.socket.remotePort);
    respond(response, request);
  });
  const options = { endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1, requestHandler };
  const client = new DynamoDBClient(options);
  return { connections, ask: () => client.send(new ListTablesCommand()) };
}

describe('the connections to a service of AWS', () => {
  it('stay open from one request to the next', async () => {
    const { connections, ask } = await clientOn(new FreshConnectionHandler());
    await ask();
    await ask();
    expect(connections[1]).toBe(connections[0]);
  });

  it('are others after a time in which they may have died', async () => {
    const { connections, ask } = await clientOn(new FreshConnectionHandler(0));
    await ask();
    await ask();
    expect(connections[1]).not.toBe(connections[0]);
  });

  it('are left to requests that still wait on them', async () => {
    const { promise: arrived, resolve: hold } = Promise.withResolvers<() => void>();
    const { connections, ask } = await clientOn(new FreshConnectionHandler(0), (response, request) => {
      const goOn = () => answer(200, {})(response, request);
      if (connections.length === 1) hold(goOn);
      else goOn();
    });
    const first = ask();
    const goOn = await arrived;
    await ask();
    goOn();
    expect((await first).$metadata.httpStatusCode).toBe(200);
  });
});
