import { env } from '../env.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** One JSON line on stderr; an error with its causes. Never give it a body, a header or a key. */
export function log(level: Level, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  if (LEVELS.indexOf(level) < LEVELS.indexOf(env.LOG_LEVEL)) return;
  const line = { time: new Date().toISOString(), level, message, ...fields };
  process.stderr.write(`${JSON.stringify(line, (_, value) => (value instanceof Error ? described(value) : value))}\n`);
}

const DEEPEST_CAUSE = 5;

function described(error: Error, depth = 0): object {
  const { name, message, stack, cause } = error;
  const deeper = cause instanceof Error && depth < DEEPEST_CAUSE ? { cause: described(cause, depth + 1) } : {};
  return { name, message, stack, ...deeper };
}
