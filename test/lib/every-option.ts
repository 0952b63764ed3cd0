import { fileURLToPath } from 'node:url';
import { settings } from '../../lib/settings.ts';
import { SiteSearchStack } from '../../lib/site-search-stack.ts';
import { buildWeb } from '../../web/build.ts';
import { bareApp, ENVIRONMENT, options } from './synthesis.ts';

/* A CDK app for `.ci/run`: cfn-lint reads the template with every option, in a known account. */

new SiteSearchStack(bareApp(), 'site-search-every-option', {
  settings: { ...settings.production, ...options },
  webFolder: fileURLToPath(await buildWeb()),
  env: ENVIRONMENT,
});
