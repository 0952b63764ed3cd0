import { isatty } from 'node:tty';
import type { Report } from '../domain/errors.ts';
import { env } from '../env.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

const STDERR = 2;
/** Asked in this way, threads know too: their `process.stderr` does not say it. */
const isTerminal = isatty(STDERR);

/** A person reads a terminal, a program everything else. */
const asText = (env.LOG_FORMAT ?? (isTerminal ? 'text' : 'json')) === 'text';

/** What a person sees in the last line, such as the progress of a crawl, makes way for a line of the log. */
const CLEAR = isTerminal ? '\r\u001b[2K' : '';

/** Writes one line to stderr, as JSON or text; errors with their causes. Never pass a body, a header or a key. */
export function log(level: Level, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  if (LEVELS.indexOf(level) < LEVELS.indexOf(env.LOG_LEVEL)) return;
  const time = new Date().toISOString();
  const json = (value: unknown): string =>
    JSON.stringify(value, (_, part) => (part instanceof Error ? errorFields(part) : part));
  const values = Object.entries(fields).map(([name, value]) => ` ${name}=${json(value)}`);
  const line = asText ? `${time} ${level} ${message}${values.join('')}` : json({ time, level, message, ...fields });
  process.stderr.write(`${CLEAR}${line.replaceAll(API_KEY, '$1[secret]')}\n`);
}

/** Reports an error that does not fail the request or message. */
export const report: Report = (message, error) => log('warn', message, { error });

/** A second defence: a message from elsewhere, such as that of a parser, may quote what it was given. */
const API_KEY = /(ssk_[0-9a-f-]{36}_)[\w-]+/g;

const MAX_CAUSES = 5;

function errorFields(error: Error, depth = 0): object {
  const { name, message, stack, cause } = error;
  const deeper = cause instanceof Error && depth < MAX_CAUSES ? { cause: errorFields(cause, depth + 1) } : {};
  return { name, message, stack, ...deeper };
}
