import { setTimeout as delay } from 'node:timers/promises';

/** Repeats a call until it returns a value other than undefined and false; throws after `withinMs`. */
export async function eventually<T>(ask: () => Promise<T | undefined | false>, withinMs = 30_000): Promise<T> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(20);
  }
  throw new Error(`No result within ${withinMs} ms: ${ask}`);
}
