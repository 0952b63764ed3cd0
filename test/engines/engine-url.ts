import { type EngineName, engines } from './engines.ts';

export function engineUrl(name: EngineName): string {
  const { variable } = engines[name];
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: start the engines with npm run test:engines`);
  return url.replace(/\/$/, '');
}
