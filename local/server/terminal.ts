import { isatty } from 'node:tty';
import { env } from '../../lambdas/env.ts';

const STDERR = 2;
/** Moves to the first column and clears the line. */
const CLEAR = '\r\u001b[2K';

/** Whether a person looks on. */
const isOpen = isatty(STDERR) && env.LOG_FORMAT !== 'json';
let shown = '';

/** A site's name may hold sequences that command a terminal. Line breaks stay. */
export const printable = (text: string): string => text.replaceAll(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');

/** Messages for a person at a terminal; without a terminal, nothing is written. */
export const terminal = {
  /** Writes lines above the progress. Answers false if no person looks on. */
  say(text: string): boolean {
    if (isOpen) process.stderr.write(`${CLEAR}${printable(text)}\n${shown}`);
    return isOpen;
  },
  /** Replaces the line of progress; empty text removes it. */
  progress(text: string): void {
    if (!isOpen || (text === '' && shown === '')) return;
    shown = printable(text).slice(0, (process.stderr.columns || 80) - 1);
    process.stderr.write(CLEAR + shown);
  },
};
