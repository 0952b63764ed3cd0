import { parseArgs } from 'node:util';
import { defined } from '../../lambdas/text/defined.ts';

export const USAGE = `Usage: npm start -- [options] [ADDRESS]
  ADDRESS         the address of a website, such as https://www.example.com: starts a crawl of it
  --host ADDRESS  the address to listen on (default: HOST, else 127.0.0.1)
  --port N        the port (default: PORT, else 8787; 0 picks a free one)
  --data DIR      the folder of the data (default: .site-search)
  --no-demo       makes no demo site
  -h, --help      prints this
Environment variables: docs/guide/environment.md`;

export type LocalOptions = {
  readonly help: boolean;
  readonly host?: string;
  readonly port?: number;
  readonly dataDir: string;
  readonly demo: boolean;
  /** The website to crawl at the start. */
  readonly address?: string;
};

/** Parses the options of `npm start`. Throws an error with a one-line message for an invalid one. */
export function localOptions(args: readonly string[]): LocalOptions {
  const { values, positionals } = parsed(args);
  const { help, host, port, data, 'no-demo': noDemo } = values;
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) <= 65_535))
    throw new Error(`--port must be a number from 0 to 65535, not ${port}`);
  if (host === '') throw new Error('--host must be an address, such as 127.0.0.1 or 0.0.0.0');
  if (data === '') throw new Error('--data must name a folder');
  return {
    help,
    dataDir: data,
    demo: !noDemo,
    ...defined({ host, address: addressIn(positionals) }),
    ...(port !== undefined && { port: Number(port) }),
  };
}

function addressIn(positionals: readonly string[]): string | undefined {
  const [address, ...more] = positionals;
  if (address === undefined) return undefined;
  const isAddress = /^https?:\/\//i.test(address) && URL.canParse(address);
  const wrong = isAddress ? more[0] : address;
  if (wrong === undefined) return address;
  throw new Error(`${wrong} is not an option, nor one address such as https://www.example.com (${OPTIONS})`);
}

const OPTIONS = 'options are --host ADDRESS, --port N, --data DIR and --no-demo; put -- before them when you use npm';

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        host: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string', default: '.site-search' },
        'no-demo': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n');
    throw new Error(`${reason} (${OPTIONS})`, { cause });
  }
}
