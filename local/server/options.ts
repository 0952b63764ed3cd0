import { parseArgs } from 'node:util';
import { defined } from '../../lambdas/text/defined.ts';

export const USAGE = `Usage: npm start -- [options]
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
};

/** Parses the options of `npm start`. Throws an error with a one-line message for an invalid one. */
export function localOptions(args: readonly string[]): LocalOptions {
  const { help, host, port, data, 'no-demo': noDemo } = parsed(args);
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) <= 65_535))
    throw new Error(`--port must be a number from 0 to 65535, not ${port}`);
  if (host === '') throw new Error('--host must be an address, such as 127.0.0.1 or 0.0.0.0');
  if (data === '') throw new Error('--data must name a folder');
  return {
    help,
    dataDir: data,
    demo: !noDemo,
    ...defined({ host }),
    ...(port !== undefined && { port: Number(port) }),
  };
}

function parsed(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        host: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string', default: '.site-search' },
        'no-demo': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n');
    const options =
      'options are --host ADDRESS, --port N, --data DIR and --no-demo; put -- before them when you use npm';
    throw new Error(`${reason} (${options})`, { cause });
  }
}
