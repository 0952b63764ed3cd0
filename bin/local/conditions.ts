import { registerHooks } from 'node:module';

/*
 * With OPENSEARCH_URL, `#adapters/*` resolves by the condition `opensearch` too. A preload (`--import`) of every
 * thread, since scripts of package.json cannot choose a flag in all shells.
 */

// biome-ignore lint/style/noProcessEnv: before any module of the service is loaded
if (process.env.OPENSEARCH_URL) {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, 'opensearch'] }),
  });
}
