import { fileURLToPath } from 'node:url';
import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { type Stage, settings } from '../lib/settings.ts';
import { SiteSearchStack } from '../lib/site-search-stack.ts';
import { buildWeb } from '../web/build.ts';

/* The CDK app. `npx cdk deploy` deploys a trial, `npx cdk deploy -c stage=production` a production stack. */

// cdk-nag and, in .ci/run, cfn-lint check the template. The CDK's own validation only warns, and would take as long as
// the rest.
const app = new App({ builtinCloudFormationValidation: false });
const stage: unknown = app.node.getContext('stage');
if (typeof stage !== 'string' || !Object.hasOwn(settings, stage))
  throw new Error(`-c stage= must be one of ${Object.keys(settings).join(', ')}`);
// The CDK sets both variables with credentials. Without them names contain tokens, and the template is only for
// reading.
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
new SiteSearchStack(app, `site-search-${stage}`, {
  settings: settings[stage as Stage],
  webFolder: fileURLToPath(await buildWeb()),
  ...(account !== undefined && region !== undefined && { env: { account, region } }),
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
