import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { itemOf } from '../../lambdas/aws/dynamodb/attribute-values.ts';
import { AccountClock } from './account-clock.ts';
import { AccessKeys } from './aws/access-keys.ts';
import { AwsProxy } from './aws/aws-proxy.ts';
import { S3Backend, serveToOperator } from './aws/s3-backend.ts';
import { Scheduler } from './aws/scheduler.ts';
import { secretsManager } from './aws/secrets-manager.ts';
import { SqsBackend } from './aws/sqs-backend.ts';
import { applyCustomResources } from './deploy/custom-resources.ts';
import {
  assertSameState,
  createStatefulResources,
  type EngineClients,
  type EngineUrls,
  engineClients,
} from './deploy/stateful-resources.ts';
import { readBucket } from './edge/bucket-origin.ts';
import { distributionOf } from './edge/distribution.ts';
import { Edge } from './edge/edge.ts';
import { LogDelivery } from './events/log-delivery.ts';
import { QueuePoller } from './events/queue-poller.ts';
import { Events } from './events/rules.ts';
import { gatewayDefinition } from './gateway/definition.ts';
import { RestApi } from './gateway/rest-api.ts';
import { Access } from './iam/access.ts';
import { Permissions } from './iam/permissions.ts';
import { Functions } from './lambda/functions.ts';
import { readCloudAssembly } from './template/cloud-assembly.ts';
import { type DeployedTemplate, deployTemplate, type Secrets } from './template/deployed-template.ts';
import { ACCOUNT } from './template/physical-names.ts';

export type StackOptions = {
  readonly engines: EngineUrls;
  /** A temporary folder for the code of the functions. */
  readonly folder: string;
  readonly extraVariables: Readonly<Record<string, string>>;
  /** The texts of secrets that are not of the template, by ARN. */
  readonly secrets?: Readonly<Record<string, string>>;
};

/** A stack that runs: its template is played on engines and processes of this machine. */
export class RunningStack {
  readonly clock: AccountClock;
  readonly permissions: Permissions;
  readonly clients: EngineClients;
  readonly access: Access;
  readonly proxy: AwsProxy;
  readonly functions: Functions;
  readonly events: Events;
  readonly logs: LogDelivery;
  readonly scheduler: Scheduler;
  readonly gateway: RestApi;
  readonly edge: Edge;
  readonly poller: QueuePoller;
  readonly gatewayUrl: string;
  readonly edgeUrl: string;
  template: DeployedTemplate;
  readonly #secrets: Secrets;
  readonly #operatorS3: Awaited<ReturnType<typeof serveToOperator>>;

  /** Deploys the stack of a folder of `cdk synth` for the first time. */
  static async deploy(folder: string, options: StackOptions): Promise<RunningStack> {
    const secrets: Secrets = new Map(Object.entries(options.secrets ?? {}));
    const template = deployTemplate(readCloudAssembly(folder), secrets);
    const parts = await startParts(template, secrets, options);
    await createStatefulResources(template, parts.clients);
    const stack = new RunningStack(template, secrets, parts);
    stack.#adopt(template);
    await applyCustomResources(undefined, template, stack.functions);
    return stack;
  }

  private constructor(template: DeployedTemplate, secrets: Secrets, parts: Parts) {
    this.template = template;
    this.#secrets = secrets;
    ({ clock: this.clock, access: this.access, permissions: this.permissions, proxy: this.proxy } = parts);
    ({ functions: this.functions, events: this.events, logs: this.logs, scheduler: this.scheduler } = parts);
    ({ gateway: this.gateway, edge: this.edge, poller: this.poller } = parts);
    ({ gatewayUrl: this.gatewayUrl, edgeUrl: this.edgeUrl, clients: this.clients } = parts);
    this.#operatorS3 = parts.operatorS3;
  }

  /** Deploys another version: first the functions, then the custom resource, which depends on them. */
  async update(folder: string): Promise<readonly string[]> {
    const before = this.template;
    const template = deployTemplate(readCloudAssembly(folder), this.#secrets);
    assertSameState(before, template);
    this.#adopt(template);
    return applyCustomResources(before, template, this.functions);
  }

  #adopt(template: DeployedTemplate): void {
    this.template = template;
    this.access.adopt(template);
    this.permissions.adopt(template);
    this.functions.deploy(template);
    this.logs.deploy(template, this.functions);
    this.events.deploy(template);
    this.gateway.deploy(gatewayDefinition(template));
    this.edge.deploy(distributionOf(template));
    this.poller.deploy(template);
  }

  /** Where an operator reaches the buckets. */
  get s3Url(): string {
    return this.#operatorS3.url;
  }

  /** Calls the custom resources as the deletion of the stack does. The table and the buckets of data are kept. */
  delete(): Promise<readonly string[]> {
    return applyCustomResources(this.template, undefined, this.functions);
  }

  /** CloudFront delivers a log file, of which S3 tells EventBridge. */
  async putEdgeLog(): Promise<void> {
    const { DistributionConfig } = this.template.ofType('AWS::CloudFront::Distribution')[0]?.properties ?? {};
    const { Bucket: host } = (DistributionConfig as { Logging: { Bucket: string } }).Logging;
    const Bucket = this.template
      .ofType('AWS::S3::Bucket')
      .find(({ attributes }) => attributes.RegionalDomainName === host)?.ref;
    const Key = `E1EXAMPLE.${new Date().toISOString().slice(0, 13)}.${randomUUID()}.gz`;
    await this.clients.buckets.send(new PutObjectCommand({ Bucket, Key, Body: gzipSync(this.edge.takeLog()) }));
    const detail = { bucket: { name: Bucket }, object: { key: Key } };
    await this.events.publish({ source: 'aws.s3', 'detail-type': 'Object Created', detail });
  }

  /** An item of the table, as an operator sees it. */
  async readItem(pk: string, sk: string): Promise<object | undefined> {
    const TableName = this.template.ofType('AWS::DynamoDB::Table')[0]?.ref;
    const Key = { pk: { S: pk }, sk: { S: sk } };
    const { Item } = await this.clients.table.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    return Item && itemOf(Item);
  }

  /** Everything that went wrong: calls that were denied or not understood, and errors of functions. */
  faults(): readonly string[] {
    return [...this.access.denied, ...this.proxy.faults, ...this.permissions.faults, ...this.functions.errors];
  }

  async stop(): Promise<void> {
    const poller = this.poller.stop();
    this.functions.stop();
    await Promise.all([poller, this.proxy.stop(), this.gateway.stop(), this.edge.stop()]);
    for (const client of Object.values(this.clients)) client.destroy();
    this.#operatorS3.server.closeAllConnections();
    this.#operatorS3.server.close();
  }
}

type Parts = Awaited<ReturnType<typeof startParts>>;

async function startParts(template: DeployedTemplate, secrets: Secrets, options: StackOptions) {
  const { engines, folder, extraVariables } = options;
  const [clock, keys, permissions] = [new AccountClock(), new AccessKeys(), new Permissions()];
  const access = new Access(template);
  const sqs = new SqsBackend(engines.elasticmq, clock);
  const s3 = new S3Backend(engines.s3mock);
  const operatorS3 = await serveToOperator(s3);
  const clients = engineClients({ ...engines, s3mock: operatorS3.url });
  const scheduler = new Scheduler(clock, () => template.ofType('AWS::Scheduler::ScheduleGroup').map(({ ref }) => ref));
  const proxy = new AwsProxy({
    access,
    clock,
    keyOf: keys.byId,
    backends: {
      dynamodb: engines.dynoxide,
      sqs: sqs.answer,
      s3: s3.answer,
      opensearch: engines.opensearch,
      scheduler: scheduler.answer,
      secretsmanager: secretsManager(secrets),
    },
  });
  const proxyPort = await proxy.start();
  const logs = new LogDelivery(permissions);
  const functions = new Functions({ access, clock, keys, proxyPort, folder, extraVariables, onLog: logs.take });
  const gateway = new RestApi(gatewayDefinition(template), functions, access);
  const gatewayUrl = await gateway.start();
  const distributionArn = `arn:aws:cloudfront::${ACCOUNT}:distribution/${template.ofType('AWS::CloudFront::Distribution')[0]?.ref}`;
  const edge = new Edge(distributionOf(template), gatewayUrl, (asked) =>
    readBucket(asked, { access, s3, distributionArn }),
  );
  const edgeUrl = await edge.start();
  const poller = new QueuePoller({ client: clients.queues, access, functions, clock, sqs });
  const events = new Events(template, { client: clients.queues, access, permissions, functions, scheduler, clock });
  return {
    clock,
    access,
    permissions,
    proxy,
    functions,
    events,
    logs,
    scheduler,
    gateway,
    edge,
    poller,
    gatewayUrl,
    edgeUrl,
    clients,
    operatorS3,
  };
}
