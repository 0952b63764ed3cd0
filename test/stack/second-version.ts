import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib/core';
import { settings } from '../../lib/settings.ts';
import { SiteSearchStack } from '../../lib/site-search-stack.ts';
import { buildWeb } from '../../web/build.ts';

/*
 * The next version of the trial stack: a model of a provider instead of the built-in one, an index of two shards, other
 * sizes. Its arguments are the URL of the provider and the ARN of the secret with its key.
 */
const [, , baseUrl = '', apiKeySecretArn = ''] = process.argv;
const { trial } = settings;
new SiteSearchStack(new App({ builtinCloudFormationValidation: false }), 'site-search-trial', {
  webFolder: fileURLToPath(await buildWeb()),
  settings: {
    ...trial,
    search: { ...trial.search, shards: 2, gibibytesPerNode: 20 },
    throttle: { callsPerSecond: 40, burst: 200 },
    crawlsAtOnce: 3,
    concurrentExecutions: 1000,
    embedding: { model: 'text-embedding-3-small', dimensions: 64, apiKeySecretArn, baseUrl, chatModel: 'gpt-4.1-mini' },
  },
});
