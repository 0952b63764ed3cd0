import { UnavailableError } from './errors.ts';

/**
 * Repeats a read and a conditional write until no other writer interferes; `attempt` returns undefined if one did.
 * After the last attempt it throws an `UnavailableError` with the message.
 */
export async function retryWhenOvertaken<T>(
  attempts: number,
  message: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (let made = 0; made < attempts; made++) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new UnavailableError(message);
}
