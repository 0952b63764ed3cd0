import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/*
 * A preload (`--import`) of every thread, since scripts of package.json cannot choose a flag or set a variable in all
 * shells. It is JavaScript, so that a start needs no compiler of TypeScript once compiled code is kept.
 *
 * With OPENSEARCH_URL, `#adapters/*` resolves by the condition `opensearch` too.
 */

/**
 * For the C library of Linux: all threads share what one of them has freed, and pieces above 64 kB go back to
 * the system at once. Otherwise it keeps some 300 MB after a large crawl.
 */
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536' };

const { env } = process;
const canStartAgain = isMainThread && !process.connected; // a channel to a parent process would be lost
if (process.platform === 'linux' && canStartAgain && env.MALLOC_ARENA_MAX === undefined) {
  // It reads them when a process starts.
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...env, ...MALLOC });
}

const { NODE_COMPILE_CACHE, OPENSEARCH_URL } = env;
enableCompileCache(
  NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../../node_modules/.cache/site-search', import.meta.url)),
);

if (OPENSEARCH_URL) {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, 'opensearch'] }),
  });
}
