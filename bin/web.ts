import { existsSync } from 'node:fs';

/*
 * npm run postinstall, which `npm ci` does: builds the web pages and widgets, so that a service that may not write to its
 * folder has them. A container builds them after it has copied the sources.
 */

if (existsSync(new URL('../web/build.ts', import.meta.url))) {
  const { buildWeb } = await import('../web/build.ts');
  await buildWeb();
}
