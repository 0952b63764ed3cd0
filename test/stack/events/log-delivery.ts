import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Permissions } from '../iam/permissions.ts';
import type { Functions } from '../lambda/functions.ts';
import type { DeployedTemplate } from '../template/deployed-template.ts';
import { ACCOUNT } from '../template/physical-names.ts';

const Filter = z.strictObject({
  DestinationArn: z.string(),
  FilterPattern: z.literal('{ $.event.id = "*" }'),
  LogGroupName: z.string(),
});

const LOGS = 'logs.amazonaws.com';

/** CloudWatch Logs: keeps what functions write, and sends the lines that a filter selects to a function. */
export class LogDelivery {
  readonly lines = new Map<string, string[]>();
  readonly #permissions: Permissions;
  readonly #waiting: Promise<void>[] = [];
  #template: DeployedTemplate | undefined;
  #functions: Functions | undefined;

  constructor(permissions: Permissions) {
    this.#permissions = permissions;
  }

  deploy(template: DeployedTemplate, functions: Functions): void {
    this.#template = template;
    this.#functions = functions;
  }

  readonly take = (logGroup: string, line: string): void => {
    const lines = this.lines.get(logGroup) ?? [];
    this.lines.set(logGroup, lines);
    lines.push(line);
    if (!hasEventId(line)) return;
    for (const { properties } of this.#template?.ofType('AWS::Logs::SubscriptionFilter') ?? []) {
      const { LogGroupName, DestinationArn } = Filter.parse(properties);
      if (LogGroupName !== logGroup) continue;
      const delivery = this.#deliver(logGroup, DestinationArn, line);
      this.#waiting.push(delivery.catch(() => undefined)); // remembered where it failed
    }
  };

  /** Waits until everything written has been delivered. */
  async settle(): Promise<void> {
    while (this.#waiting.length > 0) await Promise.allSettled(this.#waiting.splice(0));
  }

  async #deliver(logGroup: string, destination: string, message: string): Promise<void> {
    const source = this.#template?.ofType('AWS::Logs::LogGroup').find(({ ref }) => ref === logGroup)?.attributes.Arn;
    this.#permissions.require(LOGS, destination, source ?? '');
    const logEvents = [{ id: '1', timestamp: Date.now(), message }];
    const data = { messageType: 'DATA_MESSAGE', owner: ACCOUNT, logGroup, logStream: 's', logEvents };
    await this.#functions?.invoke(destination, {
      awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') },
    });
  }
}

function hasEventId(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return (JSON.parse(line) as { event?: { id?: unknown } }).event?.id !== undefined;
  } catch {
    return false;
  }
}
