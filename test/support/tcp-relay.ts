import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A fixed address in front of a server that restarts on other ports. */
export type TcpRelay = {
  readonly url: string;
  /** Sends later connections to another address. */
  leadTo(url: string): void;
  close(): void;
};

export async function tcpRelay(url: string): Promise<TcpRelay> {
  let port = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined); // both sockets close
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((socket) => {
    const onward = keep(connect(port, '127.0.0.1'));
    keep(socket).once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(next) {
      port = Number(new URL(next).port);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
