import { isatty } from 'node:tty';
import type { Report } from '../domain/errors.ts';
import { env } from '../env.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

const STDERR = 2;
/** Checks the file descriptor, because `process.stderr` of a thread does not know whether it is a terminal. */
const isTerminal = isatty(STDERR);

/** Text is for people at a terminal, JSON for programs. */
const asText = (env.LOG_FORMAT ?? (isTerminal ? 'text' : 'json')) === 'text';

/** Clears the terminal's progress line before a line of the log is written. */
const CLEAR = isTerminal ? '\r\u001b[2K' : '';

/** Writes one line to stderr, as JSON or text, with errors and their causes. Never pass a body, a header or a key. */
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

/** Matches API keys in messages. It is a second defence: a message of a parser, for example, may quote its input. */
const API_KEY = /(ssk_[0-9a-f-]{36}_)[\w-]+/g;

const MAX_CAUSES = 5;

function errorFields(error: Error, depth = 0): object {
  const { name, message, stack, cause } = error;
  const deeper = cause instanceof Error && depth < MAX_CAUSES ? { cause: errorFields(cause, depth + 1) } : {};
  return { name, message, stack, ...deeper };
}
