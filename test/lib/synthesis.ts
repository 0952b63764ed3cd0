import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Settings } from '../../lib/settings.ts';
import { SiteSearchStack } from '../../lib/site-search-stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Template } from './template-parts.ts';

const STACK = 'site-search-test';
const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

/** Without what no test looks at, and what takes two thirds of the time: the CDK's own rules, stack traces, the tree. */
export const bareApp = (props: AppProps = {}): App =>
  new App({ ...props, builtinCloudFormationValidation: false, stackTraces: false, treeMetadata: false });

/** A file that synthesis writes. */
function synthesised(file: string, settings: Settings, plugins: readonly IPolicyValidationPlugin[] = []) {
  const folder = temporaryFolder();
  try {
    const app = bareApp({ outdir: folder.path, context: { ...context, 'aws:cdk:bundling-stacks': [] } });
    new SiteSearchStack(app, STACK, { settings });
    Validations.of(app).addPlugins(...plugins);
    app.synth();
    return JSON.parse(readFileSync(join(folder.path, file), 'utf8'));
  } finally {
    folder.remove();
  }
}

/** The stack as it would be deployed, but for the code of its functions. */
export const synthesise = (settings: Settings): Template => synthesised(`${STACK}.template.json`, settings);

/** What cdk-nag finds in it that is not explained: throws for errors, answers warnings. */
export const findings = (settings: Settings): readonly unknown[] =>
  synthesised('validation-report.json', settings, [new AwsSolutionsChecks()]).pluginReports;
