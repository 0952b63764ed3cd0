import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/*
 * What would be options of Node, so that the command line is short and the same in all shells. Imported before what they
 * are for: `import` statements of one file are all resolved before the first of them runs.
 */

const { env } = process;

// Young objects of each thread that starts later have at most 48 MB. V8 would let them have 192, and return none of it.
setFlagsFromString('--max-semi-space-size=16');

// Compiled code is kept, also by threads, which inherit the variable.
env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/site-search', import.meta.url));
enableCompileCache(env.NODE_COMPILE_CACHE);

/** With OPENSEARCH_URL, `#adapters/*` resolves by the condition `opensearch` too. */
if (env.OPENSEARCH_URL) {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, 'opensearch'] }),
  });
}
