import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BodyMemory } from '../../../local/server/request-body.ts';

const LIMIT = 4_400_000;
/** There is room for 15 bodies of this size. */
const LARGE = 4_200_000;

type Held = Awaited<ReturnType<BodyMemory['read']>>;

describe('the memory for the bodies of requests', () => {
  let server: Server;
  let arrived: (message: IncomingMessage) => void;
  let memory: BodyMemory;

  beforeAll(async () => {
    server = createServer((message, response) => {
      message.once('end', () => response.end());
      arrived(message);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends a body, without its length, and reads it with `memory`. */
  async function held(body: Buffer, limit = LIMIT): Promise<Held> {
    const message = new Promise<IncomingMessage>((resolve) => {
      arrived = resolve;
    });
    const client = request({ port: (server.address() as AddressInfo).port, method: 'POST' });
    client.on('error', () => undefined);
    client.end(body);
    return memory.read(await message, async () => limit);
  }
  const of = (bytes: number): Buffer => Buffer.alloc(bytes, 'x');

  it('a body is held whole', async () => {
    memory = new BodyMemory();
    for (const bytes of [0, 1, 65_536, 65_537, LIMIT])
      expect((await held(of(bytes))).take().equals(of(bytes))).toBe(true);
  });

  it('one byte more than the limit is held of a body that is too large, so that it is refused', async () => {
    memory = new BodyMemory();
    expect((await held(of(LARGE), 65_536)).take().length).toBe(65_537);
    expect((await held(of(5_000_000))).take().length).toBe(LIMIT + 1);
  });

  it('large bodies have no room beyond 64 MB, but small ones still do', async () => {
    memory = new BodyMemory();
    const all: Held[] = [];
    for (let count = 0; count < 15; count++) all.push(await held(of(LARGE)));
    await expect(held(of(LARGE))).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect((await held(of(60_000))).take().length).toBe(60_000);
    expect((await held(of(LARGE), 65_536)).take().length).toBe(65_537);
    all.pop()?.release();
    expect((await held(of(LARGE))).take().length).toBe(LARGE);
  });

  it('all room is free when every body is released', async () => {
    memory = new BodyMemory();
    for (let round = 0; round < 20; round++) {
      (await held(of(LARGE))).release();
      (await held(of(100))).release();
      (await held(of(LARGE), 65_536)).release();
    }
    const body = await held(of(LARGE));
    body.take();
    body.release();
    body.release();
    const all: Held[] = [];
    for (let count = 0; count < 15; count++) all.push(await held(of(LARGE)));
    await expect(held(of(LARGE))).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });
});
