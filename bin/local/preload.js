import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * A preload (`--import`) of every thread, since scripts of package.json cannot choose a flag or set a variable in all
 * shells. It is JavaScript, so that a start needs no compiler of TypeScript once compiled code is kept.
 *
 * With OPENSEARCH_URL, `#adapters/*` resolves by the condition `opensearch` too.
 */

// biome-ignore lint/style/noProcessEnv: before any module of the service is loaded
const { NODE_COMPILE_CACHE, OPENSEARCH_URL } = process.env;
enableCompileCache(
  NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../../node_modules/.cache/site-search', import.meta.url)),
);

if (OPENSEARCH_URL) {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, 'opensearch'] }),
  });
}
