import type { OpenSearchClient } from '../client.ts';

export async function dropIndex(client: OpenSearchClient, name: string): Promise<void> {
  const path = `/${name}-0`;
  if (await client.send({ method: 'HEAD', path })) await client.send({ method: 'DELETE', path });
}
