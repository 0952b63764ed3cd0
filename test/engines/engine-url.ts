import { type EngineName, engines } from './engines.ts';

/** The URL of an engine that `npm run test:engines` has started or that the environment names. */
export function engineUrl(name: EngineName): string {
  const { variable } = engines[name];
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: start the engines with npm run test:engines`);
  return url.replace(/\/$/, '');
}
