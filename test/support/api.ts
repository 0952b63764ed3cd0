import { GENEROUS_LIMITS } from './generous-limits.ts';
import { LocalService } from './local-service.ts';
import type { TestApi } from './test-api.ts';

type Options = {
  /** Set before the first module that reads the environment is loaded. */
  readonly env?: Readonly<Record<string, string>>;
  /** Runs the workers too: a crawl needs them, and everything else that continues after the response. */
  readonly workers?: boolean;
};

/**
 * The API in the test's own process, on a temporary store. With OPENSEARCH_URL it is a whole service, which chooses
 * the index when its process starts.
 */
export async function openApi({ env = {}, workers = false }: Options = {}): Promise<TestApi> {
  if (process.env.OPENSEARCH_URL) return LocalService.start({ env });
  Object.assign(process.env, GENEROUS_LIMITS, { LOG_LEVEL: 'debug' }, env);
  const { InProcessApi } = await import('./in-process-api.ts');
  return InProcessApi.open({ workers });
}
