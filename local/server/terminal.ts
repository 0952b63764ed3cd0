import { isatty } from 'node:tty';
import { env } from '../../lambdas/env.ts';

const STDERR = 2;
/** Moves to the first column and clears the line. */
const CLEAR = '\r\u001b[2K';

/** Whether a person watches the output. */
const isOpen = isatty(STDERR) && env.LOG_FORMAT !== 'json';
let shown = '';

/** Removes control characters, because a site's name may contain terminal sequences. Keeps line breaks. */
export const printable = (text: string): string => text.replaceAll(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');

/** Writes messages for a person at a terminal. Without a terminal, writes nothing. */
export const terminal = {
  /** Writes lines above the progress line. Returns false if no person watches the output. */
  say(text: string): boolean {
    if (isOpen) process.stderr.write(`${CLEAR}${printable(text)}\n${shown}`);
    return isOpen;
  },
  /** Replaces the progress line. Empty text removes it. */
  progress(text: string): void {
    if (!isOpen || (text === '' && shown === '')) return;
    shown = printable(text).slice(0, (process.stderr.columns || 80) - 1);
    process.stderr.write(CLEAR + shown);
  },
};
