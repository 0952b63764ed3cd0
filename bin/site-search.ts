import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { type Stage, settings } from '../lib/settings.ts';
import { SiteSearchStack } from '../lib/site-search-stack.ts';

/* The CDK app: `npx cdk deploy` for a trial, `npx cdk deploy -c stage=production` for good. */

// cdk-nag judges the template here, and cfn-lint in .ci/run: the CDK's own rules, which only warn, take half of the time.
const app = new App({ builtinCloudFormationValidation: false });
const stage: unknown = app.node.getContext('stage');
if (typeof stage !== 'string' || !Object.hasOwn(settings, stage))
  throw new Error(`-c stage= is one of ${Object.keys(settings).join(', ')}`);
new SiteSearchStack(app, `site-search-${stage}`, { settings: settings[stage as Stage] });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
