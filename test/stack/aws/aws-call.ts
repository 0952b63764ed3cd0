import type { Context } from '../iam/conditions.ts';
import { ACCOUNT, REGION } from '../template/physical-names.ts';
import { dynamoDbNeeds } from './dynamodb-needs.ts';
import { s3Needs } from './s3-needs.ts';

/** A permission that a call needs. */
export type Need = { readonly action: string; readonly resource: string; readonly context: Context };

export type AwsCall = {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  /** `X-Amz-Target`: the operation of services that have one path. */
  readonly target: string;
  readonly body: Buffer;
};

type Service = {
  readonly host: RegExp;
  /** The service's name in the scope of a signature. */
  readonly signedFor: string;
  readonly needsOf: (call: AwsCall, match: RegExpExecArray) => readonly Need[];
};

const at = (host: string): RegExp => new RegExp(`^${host}\\.${REGION}\\.amazonaws\\.com$`);

/** The services that functions call, and the permissions that each of their calls needs. It fails at any other call. */
export const SERVICES = {
  dynamodb: { host: at('dynamodb'), signedFor: 'dynamodb', needsOf: dynamoDbNeeds },
  sqs: {
    host: at('sqs'),
    signedFor: 'sqs',
    needsOf: ({ target, body }) => {
      const operation = /^AmazonSQS\.(SendMessage)$/.exec(target)?.[1];
      if (!operation) throw new Error(`unknown call ${target}`);
      const { QueueUrl } = JSON.parse(String(body)) as { QueueUrl: string };
      const name = QueueUrl.split('/').at(-1);
      return [{ action: `sqs:${operation}`, resource: `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`, context: {} }];
    },
  },
  s3: { host: at('(.+)\\.s3'), signedFor: 's3', needsOf: s3Needs },
  opensearch: {
    host: new RegExp(`^search-(.+)-[a-z0-9]+\\.${REGION}\\.es\\.amazonaws\\.com$`),
    signedFor: 'es',
    needsOf: ({ method, path }, [, domain]) => {
      const action = `es:ESHttp${method.charAt(0)}${method.slice(1).toLowerCase()}`;
      const pathname = decodeURIComponent(path.split('?', 1)[0] ?? '');
      return [{ action, resource: `arn:aws:es:${REGION}:${ACCOUNT}:domain/${domain}${pathname}`, context: {} }];
    },
  },
  scheduler: { host: at('scheduler'), signedFor: 'scheduler', needsOf: schedulerNeeds },
  secretsmanager: {
    host: at('secretsmanager'),
    signedFor: 'secretsmanager',
    needsOf: ({ target, body }) => {
      if (target !== 'secretsmanager.GetSecretValue') throw new Error(`unknown call ${target}`);
      const { SecretId } = JSON.parse(String(body)) as { SecretId: string };
      return [{ action: 'secretsmanager:GetSecretValue', resource: SecretId, context: {} }];
    },
  },
} as const satisfies Record<string, Service>;

export type ServiceName = keyof typeof SERVICES;

/** The service that answers at a host, with the permissions that a call of it needs. */
export function describeCall(call: AwsCall): {
  readonly name: ServiceName;
  readonly signedFor: string;
  readonly needs: readonly Need[];
} {
  for (const [name, { host, signedFor, needsOf }] of Object.entries(SERVICES) as [ServiceName, Service][]) {
    const match = host.exec(call.host);
    if (match) return { name, signedFor, needs: needsOf(call, match) };
  }
  throw new Error(`test/stack knows no service at ${call.host}`);
}

const SCHEDULER_ACTIONS: Readonly<Record<string, string>> = {
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
  DELETE: 'DeleteSchedule',
};

function schedulerNeeds({ method, path, body }: AwsCall): readonly Need[] {
  const { pathname, searchParams } = new URL(path, 'http://scheduler');
  const name = /^\/schedules\/([^/]+)$/.exec(pathname)?.[1];
  const action = SCHEDULER_ACTIONS[method];
  if (name === undefined || action === undefined) throw new Error(`unknown call ${method} ${path}`);
  const content =
    body.length > 0 ? (JSON.parse(String(body)) as { GroupName?: string; Target?: { RoleArn: string } }) : {};
  const group = content.GroupName ?? searchParams.get('groupName') ?? 'default';
  const resource = `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/${group}/${decodeURIComponent(name)}`;
  const toScheduler = { 'iam:PassedToService': ['scheduler.amazonaws.com'] };
  const passed = content.Target
    ? [{ action: 'iam:PassRole', resource: content.Target.RoleArn, context: toScheduler }]
    : [];
  return [{ action: `scheduler:${action}`, resource, context: {} }, ...passed];
}
