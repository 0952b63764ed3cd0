import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { AccountClock } from '../account-clock.ts';
import type { Scheduler } from '../aws/scheduler.ts';
import type { Access } from '../iam/access.ts';
import type { Permissions } from '../iam/permissions.ts';
import type { Caller } from '../iam/policy.ts';
import type { Functions } from '../lambda/functions.ts';
import type { DeployedResource, DeployedTemplate } from '../template/deployed-template.ts';
import { ACCOUNT, REGION } from '../template/physical-names.ts';

const Transformer = z.strictObject({
  InputPathsMap: z.record(z.string(), z.string()),
  InputTemplate: z.string(),
});
const Target = z.strictObject({
  Arn: z.string(),
  Id: z.string(),
  InputTransformer: Transformer.optional(),
  RetryPolicy: z.strictObject({ MaximumRetryAttempts: z.number() }).optional(),
});
const Rule = z.strictObject({
  State: z.literal('ENABLED'),
  ScheduleExpression: z
    .string()
    .regex(/^rate\(1 (minute|day)\)$/)
    .optional(),
  EventPattern: z.unknown().optional(),
  Targets: z.array(Target),
});
type Target = z.infer<typeof Target>;

export type EventsParts = {
  readonly client: SQSClient;
  readonly access: Access;
  readonly permissions: Permissions;
  readonly functions: Functions;
  readonly scheduler: Scheduler;
  readonly clock: AccountClock;
};

const EVENTS = 'events.amazonaws.com';
const SCHEDULER = 'scheduler.amazonaws.com';

/** EventBridge: the rules of a template, and what the scheduler sends. */
export class Events {
  readonly #parts: EventsParts;
  #template: DeployedTemplate;

  constructor(template: DeployedTemplate, parts: EventsParts) {
    this.#template = template;
    this.#parts = parts;
  }

  deploy(template: DeployedTemplate): void {
    this.#template = template;
  }

  /** Runs the targets of all rules with this rate once. */
  async tick(rate: 'minute' | 'day'): Promise<void> {
    for (const { rule, resource } of this.#rules())
      if (rule.ScheduleExpression === `rate(1 ${rate})`)
        for (const target of rule.Targets) await this.#send(resource, target, scheduledEvent(resource));
  }

  /** Hands an event to the rules whose pattern it matches. */
  async publish(event: Readonly<Record<string, unknown>>): Promise<void> {
    const matched = this.#rules().filter(({ rule }) => rule.EventPattern && matchesPattern(rule.EventPattern, event));
    if (matched.length === 0) throw new Error(`No rule matches ${JSON.stringify(event)}`);
    for (const { rule, resource } of matched)
      for (const target of rule.Targets) await this.#send(resource, target, event);
  }

  /** Sends what schedules have come due, each with the role that it names. */
  async sendDueSchedules(): Promise<number> {
    const due = this.#parts.scheduler.takeDue();
    for (const { schedule, input } of due) {
      const { Arn, RoleArn } = schedule.Target;
      const group = `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule-group/${schedule.GroupName}`;
      if (!this.#parts.access.mayAssume(SCHEDULER, RoleArn, group))
        throw new Error(`The scheduler may not act as ${RoleArn} for ${group}`);
      await this.#sendMessage(Arn, input, { role: RoleArn }, {});
    }
    return due.length;
  }

  #rules() {
    return this.#template
      .ofType('AWS::Events::Rule')
      .map((resource) => ({ resource, rule: Rule.parse(resource.properties) }));
  }

  async #send(rule: DeployedResource, { Arn, InputTransformer }: Target, event: unknown): Promise<void> {
    const source = rule.attributes.Arn ?? '';
    if (Arn.includes(':lambda:')) {
      this.#parts.permissions.require(EVENTS, Arn, source);
      await this.#parts.functions.invoke(Arn, event);
    } else {
      const body = InputTransformer ? transformed(InputTransformer, event) : JSON.stringify(event);
      await this.#sendMessage(Arn, body, { service: EVENTS }, { 'aws:SourceArn': [source] });
    }
  }

  async #sendMessage(arn: string, body: string, caller: Caller, context: Readonly<Record<string, string[]>>) {
    const { access, client } = this.#parts;
    const queue = this.#template.ofType('AWS::SQS::Queue').find(({ attributes }) => attributes.Arn === arn);
    if (!queue) throw new Error(`There is no queue ${arn}`);
    if (!access.allows(caller, { action: 'sqs:SendMessage', resource: arn, context }))
      throw new Error(`${JSON.stringify(caller)} may not send to ${arn}`);
    await client.send(new SendMessageCommand({ QueueUrl: queue.ref, MessageBody: body }));
  }
}

const scheduledEvent = ({ attributes }: DeployedResource) => ({
  version: '0',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: ACCOUNT,
  region: REGION,
  resources: [attributes.Arn],
  detail: {},
});

/** A pattern's lists hold the values that match. */
export function matchesPattern(pattern: unknown, event: unknown): boolean {
  if (Array.isArray(pattern)) {
    if (pattern.some((one) => typeof one !== 'string')) throw new Error('A pattern has more than plain values');
    return pattern.includes(event);
  }
  return Object.entries(pattern as object).every(([name, inside]) =>
    matchesPattern(inside, (event as Readonly<Record<string, unknown>> | undefined)?.[name]),
  );
}

/** Puts the values at the paths into the template, as JSON. */
function transformed({ InputPathsMap, InputTemplate }: z.infer<typeof Transformer>, event: unknown): string {
  return InputTemplate.replace(/<([\w-]+)>/g, (_, name: string) => {
    const path = InputPathsMap[name]?.split('.').slice(1);
    if (!path) throw new Error(`The template has no path ${name}`);
    return JSON.stringify(path.reduce((value: unknown, key) => (value as Record<string, unknown>)[key], event));
  });
}
