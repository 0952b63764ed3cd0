import type { Report } from '../core/errors.ts';
import { env } from '../env.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** Writes one JSON line to stderr, errors with their causes. Never pass a body, a header or a key. */
export function log(level: Level, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  if (LEVELS.indexOf(level) < LEVELS.indexOf(env.LOG_LEVEL)) return;
  const line = { time: new Date().toISOString(), level, message, ...fields };
  const text = JSON.stringify(line, (_, value) => (value instanceof Error ? errorFields(value) : value));
  process.stderr.write(`${text.replaceAll(API_KEY, '$1[secret]')}\n`);
}

/** For an error that does not fail the request or message. */
export const report: Report = (message, error) => log('warn', message, { error });

/** A second defence: a message from elsewhere, such as that of a parser, may quote what it was given. */
const API_KEY = /(ssk_[0-9a-f-]{36}_)[\w-]+/g;

const MAX_CAUSES = 5;

function errorFields(error: Error, depth = 0): object {
  const { name, message, stack, cause } = error;
  const deeper = cause instanceof Error && depth < MAX_CAUSES ? { cause: errorFields(cause, depth + 1) } : {};
  return { name, message, stack, ...deeper };
}
