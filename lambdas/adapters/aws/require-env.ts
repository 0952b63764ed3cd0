import { type EnvName, env } from '../../env.ts';

/** The variable that an adapter cannot be without: a function that lacks it fails when it starts, not at its first request. */
export function needed(name: EnvName): string {
  const value = env[name];
  if (typeof value !== 'string')
    throw new Error(`The environment lacks ${name}, which an adapter of this function needs`);
  return value;
}
