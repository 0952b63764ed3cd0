import { parseArgs } from 'node:util';

export type LocalOptions = { readonly port: number; readonly dataDir: string; readonly demo: boolean };

/** Parses the options of `npm start`. Throws an error with a one-line message for an invalid one. */
export function localOptions(args: readonly string[]): LocalOptions {
  const values = parsed(args);
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new Error(`--port must be a number from 0 to 65535, not ${values.port}`);
  if (values.data === '') throw new Error('--data must name a folder');
  return { port, dataDir: values.data, demo: !values['no-demo'] };
}

function parsed(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8787' },
        data: { type: 'string', default: '.site-search' },
        'no-demo': { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n');
    throw new Error(`${reason} (options are --port N, --data DIR and --no-demo; put -- before them when you use npm)`, {
      cause,
    });
  }
}
