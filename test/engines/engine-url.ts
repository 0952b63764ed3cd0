import { type EngineName, engines } from './engines.ts';

/** Where an engine answers that `npm run test:engines` has started, or that the environment names. */
export function engineUrl(name: EngineName): string {
  const { variable } = engines[name];
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} names no engine: npm run test:engines starts one`);
  return url.replace(/\/$/, '');
}
