import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until there is an answer that is not false; throws after `withinMs`. */
export async function eventually<T>(ask: () => Promise<T | undefined | false>, withinMs = 15_000): Promise<T> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(20);
  }
  throw new Error(`It did not come about within ${withinMs} ms: ${ask}`);
}
