import type { Clock } from '../../domain/clock.ts';
import { UnavailableError } from '../../domain/errors.ts';
import type { ChatModel } from '../../domain/ports/chat-model.ts';

/** The number of consecutive faults after which the provider is left alone. */
const FAULTS = 3;
const PAUSE_MS = 15_000;

/** Fails at once after repeated faults; every 15 seconds one call tries whether the provider is back. */
export function circuitBreaker(model: ChatModel, { clock }: { readonly clock: Clock }): ChatModel {
  let faults = 0;
  let triedAt = 0;

  const admit = (): void => {
    if (faults >= FAULTS && clock() - triedAt < PAUSE_MS)
      throw new UnavailableError('the chat API failed repeatedly and is tried again in a few seconds');
    triedAt = clock();
  };
  const failed = (error: unknown, signal: AbortSignal | undefined): unknown => {
    if (!signal?.aborted) faults++;
    return error;
  };

  return {
    model: model.model,

    async *stream(request) {
      admit();
      try {
        const usage = yield* model.stream(request);
        faults = 0;
        return usage;
      } catch (error) {
        throw failed(error, request.signal);
      }
    },

    async complete(request) {
      admit();
      try {
        const answer = await model.complete(request);
        faults = 0;
        return answer;
      } catch (error) {
        throw failed(error, request.signal);
      }
    },
  };
}
