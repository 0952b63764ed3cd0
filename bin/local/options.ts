import { parseArgs } from 'node:util';

export type LocalOptions = { readonly port: number; readonly dataDir: string; readonly demo: boolean };

/** Options of `npm start`; throws one line for what it does not know. */
export function localOptions(args: readonly string[]): LocalOptions {
  const values = parsed(args);
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new Error(`--port takes a number from 0 to 65535, not ${values.port}`);
  if (values.data === '') throw new Error('--data takes a folder');
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
    const [fault] = (cause as Error).message.split('\n');
    throw new Error(`${fault} (there are --port N, --data DIR and --no-demo, and npm wants -- in front of them)`, {
      cause,
    });
  }
}
