import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The official client, on one revision of the protocol. */
export async function mcpClient(
  url: string,
  { revision, headers = {} }: { readonly revision?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Client> {
  const options: ClientOptions = revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } };
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}
