import { type EnvName, env } from '../../env.ts';

/**
 * Called when a module loads, so that a function without the variable fails at its start and not at its first
 * request.
 */
export function requireEnv(name: EnvName): string {
  const value = env[name];
  if (typeof value !== 'string') throw new Error(`The environment variable ${name} is not set`);
  return value;
}
