import { runInNewContext } from 'node:vm';
import { processorTime } from '../processor-time.ts';
import { type HostileText, hostileTexts } from './hostile-texts.ts';
import type { ProductPattern } from './product-patterns.ts';

/** Ends what takes exponential time. Generous, since the processors of tests are busy. */
const TIMEOUT_MS = 3_000;
/** Slow enough at any length. */
const HOPELESS_MS = 500;
/** All texts are tried at this length, and those that took longest at the whole length. */
const FIRST_LENGTH = 4_000;
const TRIED_AT_LENGTH = 4;

export type Slowest = { readonly ms: number; readonly text: string };

/** The hostile text of about this length over which the pattern takes most processor time. */
export function slowestText(pattern: ProductPattern, longest: number): Slowest {
  const { source, flags } = pattern;
  // `g` as in `split`. A search for the first match costs less, or as much with another text.
  const regex = new RegExp(source, flags.includes('y') ? flags : `${flags.replace('g', '')}g`);
  const texts = hostileTexts(pattern);
  const first = timesOf(regex, texts, Math.min(longest, FIRST_LENGTH));
  const order = [...texts.keys()].sort((a, b) => (first[b] ?? 0) - (first[a] ?? 0));
  const [worst = 0] = order;
  const worstMs = first[worst] ?? 0;
  if (worstMs > HOPELESS_MS) return { ms: worstMs, text: texts[worst]?.(FIRST_LENGTH) ?? '' };
  const slowest = order.slice(0, TRIED_AT_LENGTH).flatMap((index) => texts[index] ?? []);
  const times = timesOf(regex, slowest, longest);
  const ms = Math.max(...times);
  return { ms, text: slowest[times.indexOf(ms)]?.(longest) ?? '' };
}

/**
 * Milliseconds of processor time for each text, up to the one at which the time ends: V8 interrupts expressions too.
 */
function timesOf(regex: RegExp, texts: readonly HostileText[], length: number): readonly number[] {
  const times: number[] = [];
  let elapsed = processorTime();
  const run = (index: number): void => {
    const text = texts[index]?.(length) ?? '';
    elapsed = processorTime();
    text.replace(regex, '');
    times.push(elapsed());
  };
  const context = { run, count: texts.length };
  try {
    runInNewContext('for (let index = 0; index < count; index++) run(index)', context, { timeout: TIMEOUT_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    times.push(elapsed());
  }
  return times;
}
