import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until there is an answer; throws after `withinMs`. */
export async function eventually<T>(ask: () => Promise<T | undefined>, withinMs = 10_000): Promise<T> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(20);
  }
  throw new Error(`It did not come about within ${withinMs} ms: ${ask}`);
}
