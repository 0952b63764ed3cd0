import { type EnvName, env } from '../env.ts';

/** Adapters call it when they load: without the variable a function fails at its start, not at its first request. */
export function requireEnv(name: EnvName): string {
  const value = env[name];
  if (typeof value !== 'string') throw new Error(`The environment variable ${name} is not set`);
  return value;
}
