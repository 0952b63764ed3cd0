import { tooManyIngests } from '../../lambdas/domain/pages/ingest/too-many-ingests.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { SMALL_BODY_BYTES } from '../../lambdas/runtime/body.ts';
import { errorAnswer } from './server-errors.ts';

export type RunEndpoint = (name: string, event: ApiEvent) => Promise<ApiResponse>;

/** The number of large requests that run at once. More would only make each of them slower. */
const AT_ONCE = 2;
/** The longest wait for a turn. A large request that would wait longer is refused. */
const MAX_WAIT_MS = 8_000;

/** Runs endpoints that read and embed whole pages. Large requests take turns. Answers 503 if `run` fails. */
export function ingestion(run: RunEndpoint): RunEndpoint {
  let running = 0;
  const waiting = new Set<(mayRun: boolean) => void>();
  const turn = (): Promise<boolean> => {
    if (running < AT_ONCE) {
      running++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const answer = (mayRun: boolean): void => {
        clearTimeout(timer);
        waiting.delete(answer);
        resolve(mayRun);
      };
      const timer = setTimeout(answer, MAX_WAIT_MS, false).unref();
      waiting.add(answer);
    });
  };
  const endTurn = (): void => {
    const [next] = waiting;
    if (next) next(true);
    else running--;
  };
  const answered: RunEndpoint = (name, event) => run(name, event).catch((error) => errorAnswer(error, event));
  return async (name, event) => {
    if (!isLarge(event)) return answered(name, event);
    if (!(await turn())) return errorAnswer(tooManyIngests(), event);
    try {
      return await answered(name, event);
    } finally {
      endTurn();
    }
  };
}

/** Tells whether a body, which is in base64, is large. */
const isLarge = ({ body }: ApiEvent): boolean => (body?.length ?? 0) * 0.75 > SMALL_BODY_BYTES;
