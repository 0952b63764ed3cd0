import { type EnvName, env } from '../env.ts';

/**
 * Returns the variable. Adapters call it when they load, so a function without it fails at its start, not at its first
 * request.
 */
export function requireEnv(name: EnvName): string {
  const value = env[name];
  if (typeof value !== 'string') throw new Error(`The environment variable ${name} is not set`);
  return value;
}
