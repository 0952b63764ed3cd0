import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  AssetHashType,
  type CfnElement,
  DockerImage,
  type Duration,
  RemovalPolicy,
  type Resource,
  Size,
  Stack,
  Validations,
} from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { EnvName } from '../lambdas/env.ts';
import type { QueueName } from '../lambdas/messages.ts';
import type { Port } from '../lambdas/permissions.ts';
import type { Asset, Bundle } from './bundle.ts';
import { type Entry, permissionsOf } from './entries.ts';
import { FunctionRole } from './function-role.ts';
import type { Settings } from './settings.ts';

const LAMBDAS = fileURLToPath(new URL('../lambdas', import.meta.url));

export type Grant = (fn: ServiceFunction, entry: Entry) => void;

export type Service = {
  readonly bundle: Bundle;
  readonly code: Readonly<Record<Asset, Code>>;
  readonly settings: Settings;
  /** Gives a function the permissions and the environment variables of a port. */
  readonly grants: Readonly<Record<Port, Grant>>;
  readonly grantSend: (fn: ServiceFunction, queues: readonly QueueName[]) => void;
};

/** Returns one asset for all functions of a stack, one for those with a browser, and one with the files for browsers. */
export const codeOf = (bundle: Bundle, webFolder: string): Service['code'] => ({
  service: assetOf(bundle, 'service'),
  browser: assetOf(bundle, 'browser'),
  publisher: assetOf(bundle, 'publisher', webFolder),
});

/** The files for browsers are where `lambdas/workers/publish-web-files.ts` looks for them. */
function assetOf(bundle: Bundle, asset: Asset, webFolder?: string): Code {
  const tryBundle = (folder: string): boolean => {
    bundle.writeTo(folder, asset);
    if (webFolder !== undefined) cpSync(webFolder, join(folder, 'files-for-browsers'), { recursive: true });
    return true; // bundled here, so CDK starts no Docker image; the image's name distinguishes the assets
  };
  return Code.fromAsset(LAMBDAS, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { local: { tryBundle }, image: DockerImage.fromRegistry(asset) },
  });
}

/**
 * The settings of functions with a browser, whose package has only x86_64. It needs 460 MB of /tmp: 210 for the
 * browser, 250 free.
 */
const WITH_BROWSER = {
  architecture: Architecture.X86_64,
  memorySize: 2048,
  ephemeralStorageSize: Size.gibibytes(1),
};

export type ServiceFunctionProps = {
  readonly entry: Entry;
  readonly summary: string;
  readonly timeout: Duration;
  /** Lambda gives CPU in proportion to memory. @default 1024 */
  readonly memoryMegabytes?: number;
  /**
   * Whether the function's messages lead to further messages to itself. Otherwise Lambda stops such a chain after 16.
   * @default false
   */
  readonly feedsItself?: boolean;
};

/** A function whose permissions and environment follow from the declaration of its route or queue (`permissionsOf`). */
export class ServiceFunction extends LambdaFunction {
  readonly #role: FunctionRole;

  constructor(
    scope: Construct,
    id: string,
    { bundle, code, settings, grants, grantSend }: Service,
    props: ServiceFunctionProps,
  ) {
    // The default role may write to every log group of the account.
    const role = new FunctionRole(scope, `${id}-role`);
    const asset = bundle.assetOf(props.entry);
    super(scope, id, {
      code: code[asset],
      handler: `lambdas/${props.entry}.handler`,
      description: props.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes ?? 1024,
      ...(asset === 'browser' && WITH_BROWSER),
      timeout: props.timeout,
      tracing: Tracing.ACTIVE,
      role,
      ...(props.feedsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      logGroup: new LogGroup(scope, `${id}-log`, {
        retention: settings.logRetention,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
    this.#role = role;
    this.logGroup.grantWrite(this);
    this.#acknowledge('AwsSolutions-IAM5[Resource::*]', 'X-Ray actions have no resource to name');
    this.setVariables({ LOG_LEVEL: 'info' });
    const { uses, sends } = permissionsOf(props.entry);
    for (const port of uses) grants[port](this, props.entry);
    if (sends.length > 0) grantSend(this, sends);
  }

  /** Sets environment variables. A name that `env.ts` does not declare does not compile. */
  setVariables(variables: Readonly<Partial<Record<EnvName, string>>>): void {
    for (const [name, value] of Object.entries(variables)) this.addEnvironment(name, value);
  }

  allow(actions: readonly string[], ...arns: readonly string[]): void {
    this.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [...arns] }));
  }

  /** Allows the actions on paths below the resource, in which `*` matches any characters. */
  allowPaths(resource: Resource, arn: string, actions: readonly string[], paths: readonly string[]): void {
    const name = Stack.of(this).getLogicalId(resource.node.defaultChild as CfnElement);
    this.allow(actions, ...paths.map((path) => `${arn}/${path}`));
    for (const path of paths.filter((each) => each.includes('*')))
      this.#acknowledge(`AwsSolutions-IAM5[Resource::<${name}.Arn>/${path}]`, 'Indices are named by what they hold');
  }

  /** Allows the actions on everything inside the resource, such as a bucket's objects. */
  allowInside(resource: Resource, arn: string, actions: readonly string[]): void {
    const name = Stack.of(this).getLogicalId(resource.node.defaultChild as CfnElement);
    this.allowBelow(arn, `<${name}.Arn>`, actions);
  }

  /**
   * Allows the actions on all resources whose ARN starts with `arn` and a slash. `shownArn` is cdk-nag's form of it.
   */
  allowBelow(arn: string, shownArn: string, actions: readonly string[]): void {
    this.allow(actions, `${arn}/*`);
    this.#acknowledge(`AwsSolutions-IAM5[Resource::${shownArn}/*]`, 'Everything inside it belongs to the service');
  }

  #acknowledge(id: string, reason: string): void {
    Validations.of(this.#role).acknowledge({ id, reason });
  }
}
