import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps, type Environment, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Settings } from '../../lib/settings.ts';
import { SiteSearchStack } from '../../lib/site-search-stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type RawTemplate, type ReadableTemplate, readable } from './readable-template.ts';

export const STACK = 'site-search-test';
export const API_KEY_SECRET = 'arn:aws:secretsmanager:us-east-1:111122223333:secret:provider-key-AbCdEf';

export const ENVIRONMENT = { account: '111122223333', region: 'us-east-1' } as const;

/** Every optional setting. */
export const options = {
  domain: {
    name: 'search.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/example',
  },
  alarmMail: 'operators@example.com',
  crawlContact: 'crawling@example.com',
  protectData: true,
  firewall: { callsPerFiveMinutes: 2000 },
  budget: { dollarsPerMonth: 600, mail: 'operators@example.com' },
  embedding: {
    model: 'text-embedding-3-small',
    dimensions: 512,
    apiKeySecretArn: API_KEY_SECRET,
    baseUrl: 'https://provider.example.com/v1',
    chatModel: 'gpt-4.1-mini',
  },
} as const satisfies Partial<Settings>;

const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

/** Skips what takes two thirds of the time and no test reads: CDK's own validation, stack traces and the tree. */
export const bareApp = (props: AppProps = {}): App =>
  new App({ ...props, builtinCloudFormationValidation: false, stackTraces: false, treeMetadata: false });

/** The content of a file that synthesis writes. */
function synthesised(
  file: string,
  stageSettings: Settings,
  env?: Required<Environment>,
  plugins: readonly IPolicyValidationPlugin[] = [],
) {
  const folder = temporaryFolder();
  try {
    const testContext = { ...context, 'aws:cdk:enable-path-metadata': true, 'aws:cdk:bundling-stacks': [] };
    const app = bareApp({ outdir: folder.path, context: testContext });
    new SiteSearchStack(app, STACK, { settings: stageSettings, webFolder: 'dist/web/build', ...(env && { env }) });
    Validations.of(app).addPlugins(...plugins);
    app.synth();
    return JSON.parse(readFileSync(join(folder.path, file), 'utf8'));
  } finally {
    folder.remove();
  }
}

/** The stack as it would be deployed, except the code of its functions. By default, account and region are unknown. */
export const templateOf = (stageSettings: Settings, env?: Required<Environment>): RawTemplate =>
  synthesised(`${STACK}.template.json`, stageSettings, env);

export const synthesise = (stageSettings: Settings, env?: Required<Environment>): ReadableTemplate =>
  readable(templateOf(stageSettings, env));

/** The warnings of cdk-nag that nobody acknowledged. Throws for errors. */
export const findings = (stageSettings: Settings, env?: Required<Environment>): readonly unknown[] =>
  synthesised('validation-report.json', stageSettings, env, [new AwsSolutionsChecks()]).pluginReports;
