import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/*
 * Sets what would be options of Node, so that the command line is short and the same in all shells. It is imported
 * before the modules that need them: the `import` statements of one file are all resolved before the first of them
 * runs.
 */

const { env } = process;

// Limits the young generation of later threads to 48 MB. By default V8 lets it grow to 192 MB and returns none of it.
setFlagsFromString('--max-semi-space-size=16');

// Caches compiled code. Threads inherit the variable, so they do too.
env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/site-search', import.meta.url));
enableCompileCache(env.NODE_COMPILE_CACHE);

/** With OPENSEARCH_URL, `#adapters/*` also resolves by the condition `opensearch`. */
if (env.OPENSEARCH_URL) {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, 'opensearch'] }),
  });
}
