import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clock } from '../../lambdas/runtime/system.ts';
import { serverRuns } from '../sqlite/data-lock.ts';
import { newSignInToken } from '../sqlite/sign-in-token.ts';

/** Returns a new link that signs in to the dashboard of the running server, once and within an hour. */
export async function signInLink(dataDir: string): Promise<{ readonly url: string }> {
  const ready = await readFile(join(dataDir, 'ready.json'), 'utf8').catch(() => undefined);
  if (!serverRuns(dataDir) || ready === undefined)
    throw new Error(`No server runs on ${dataDir}: start it with npm start`);
  const { signInUrl }: { readonly signInUrl?: unknown } = JSON.parse(ready);
  if (typeof signInUrl !== 'string')
    throw new Error('This server is reached from other machines, so it has no such links: sign in with an API key');
  return { url: new URL(`/app#token=${await newSignInToken(dataDir, clock)}`, signInUrl).href };
}
