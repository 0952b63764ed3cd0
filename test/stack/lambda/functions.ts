import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { AccountClock } from '../account-clock.ts';
import type { AccessKeys } from '../aws/access-keys.ts';
import type { Access } from '../iam/access.ts';
import type { DeployedTemplate } from '../template/deployed-template.ts';
import { REGION } from '../template/physical-names.ts';
import { type FunctionCode, FunctionProcess } from './function-process.ts';

const FunctionProperties = z.object({
  Runtime: z.literal('nodejs24.x'),
  Handler: z.string(),
  Code: z.object({ S3Key: z.string() }),
  MemorySize: z.number(),
  Timeout: z.number(),
  Role: z.string(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
  LoggingConfig: z.object({ LogGroup: z.string() }),
  TracingConfig: z.strictObject({ Mode: z.literal('Active') }),
});

type Deployed = FunctionCode & { readonly arn: string; readonly role: string; readonly logGroup: string };

export type FunctionsParts = {
  readonly access: Access;
  readonly clock: AccountClock;
  readonly keys: AccessKeys;
  readonly proxyPort: string;
  readonly folder: string;
  /** Variables that the template does not have. */
  readonly extraVariables: Readonly<Record<string, string>>;
  readonly onLog: (logGroup: string, line: string) => void;
};

/** The number of sandboxes of one function that this machine can bear. Further calls wait. */
const SANDBOXES = 2;
/** Idle ones beyond this number are ended, the longest idle first. */
const IDLE_SANDBOXES = 16;

type Sandbox = { readonly process: FunctionProcess; readonly fn: Deployed };

/** Lambda: the functions of a template, each in separate processes. */
export class Functions {
  /** Errors that invocations ended with. */
  readonly errors: string[] = [];
  readonly invoked = new Map<string, number>();
  readonly #parts: FunctionsParts;
  #deployed = new Map<string, Deployed>();
  readonly #idle: Sandbox[] = [];
  readonly #busy = new Set<Sandbox>();
  readonly #waiting: (() => void)[] = [];
  readonly #copied = new Map<string, string>();
  readonly #broken = new Map<string, number>();
  #stopped = false;

  constructor(parts: FunctionsParts) {
    this.#parts = parts;
    parts.clock.onMove(() => {
      for (const { process } of this.#busy) process.moveClock(parts.clock.offsetMs);
    });
  }

  /** Replaces the functions. Invocations that run end with the code with which they began. */
  deploy(template: DeployedTemplate): void {
    const deployed = template.ofType('AWS::Lambda::Function').map(({ ref, attributes, properties }) => {
      const fn = FunctionProperties.parse(properties);
      const arn = attributes.Arn ?? '';
      const made: Deployed = {
        arn,
        role: fn.Role,
        logGroup: fn.LoggingConfig.LogGroup,
        handler: fn.Handler,
        memoryMegabytes: fn.MemorySize,
        timeoutMs: fn.Timeout * 1000,
        folder: this.#copyOf(template.assembly.folderOf(fn.Code.S3Key), fn.Code.S3Key),
        variables: this.#variablesOf(ref, fn),
      };
      return [arn, made] as const;
    });
    this.#deployed = new Map(deployed);
    for (const { process } of this.#idle.splice(0)) process.kill();
    for (const { role, logGroup } of this.#deployed.values()) this.#checkRole(role, logGroup, template);
  }

  /** Lambda itself assumes the role of a function, and writes its log and its traces with it. */
  #checkRole(role: string, logGroup: string, template: DeployedTemplate): void {
    const { access } = this.#parts;
    if (!access.mayAssume('lambda.amazonaws.com', role)) throw new Error(`Lambda may not act as ${role}`);
    const group = template.ofType('AWS::Logs::LogGroup').find(({ ref }) => ref === logGroup);
    const stream = `${group?.attributes.Arn?.slice(0, -1)}log-stream:1`;
    for (const action of ['logs:CreateLogStream', 'logs:PutLogEvents'])
      access.allows({ role }, { action, resource: stream, context: {} });
    for (const action of ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'])
      access.allows({ role }, { action, resource: '*', context: {} });
  }

  /** A copy outside the repository, so that nothing is imported that the asset does not hold. */
  #copyOf(asset: string, key: string): string {
    const copied = this.#copied.get(key) ?? join(this.#parts.folder, key.replace('.zip', ''));
    if (!this.#copied.has(key)) cpSync(asset, copied, { recursive: true });
    this.#copied.set(key, copied);
    return copied;
  }

  #variablesOf(name: string, { Role, Handler, MemorySize, Environment }: z.infer<typeof FunctionProperties>) {
    const { keys, extraVariables } = this.#parts;
    const { id, secret, sessionToken } = keys.ofRole(Role);
    return {
      AWS_REGION: REGION,
      AWS_DEFAULT_REGION: REGION,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_ACCESS_KEY_ID: id,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_SESSION_TOKEN: sessionToken,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
      _HANDLER: Handler,
      TZ: ':UTC',
      PATH: '/usr/local/bin:/usr/bin/:/bin',
      ...extraVariables,
      ...Environment.Variables,
    };
  }

  /** Runs an invocation to its end. Throws the function's error. */
  async invoke(arn: string, event: unknown, onPart: (part: Uint8Array) => void = () => undefined): Promise<unknown> {
    const fn = this.#deployed.get(arn);
    if (!fn) throw new Error(`There is no function ${arn}`);
    this.invoked.set(fn.handler, (this.invoked.get(fn.handler) ?? 0) + 1);
    const broken = this.#broken.get(fn.handler);
    if (broken !== undefined) {
      this.#broken.set(fn.handler, broken + 1);
      throw new Error(`${fn.handler} is broken`);
    }
    const { clock } = this.#parts;
    const sandbox = await this.#sandboxOf(fn);
    try {
      const make = () => {
        const times = { deadline: clock.now() + fn.timeoutMs, clockOffsetMs: clock.offsetMs };
        return { id: randomUUID(), event, arn, ...times };
      };
      return await sandbox.process.invoke(make, onPart);
    } catch (error) {
      this.errors.push(`${fn.handler}: ${error instanceof Error ? error.message : error}`);
      throw error;
    } finally {
      this.#release(sandbox);
    }
  }

  /** The handlers of the invocations that run. */
  get running(): readonly string[] {
    return [...this.#busy].map(({ fn }) => fn.handler);
  }

  /** Makes every later invocation of a function fail, like one that runs out of memory when it starts. */
  breakDown(handler: string): void {
    this.#broken.set(handler, 0);
  }

  /** Answers how many invocations have failed. */
  repair(handler: string): number {
    const failed = this.#broken.get(handler) ?? 0;
    this.#broken.delete(handler);
    return failed;
  }

  async #sandboxOf(fn: Deployed): Promise<Sandbox> {
    while ([...this.#busy].filter((each) => each.fn.arn === fn.arn).length >= SANDBOXES)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#stopped) throw new Error('The stack has stopped');
    const index = this.#idle.findIndex((each) => each.fn === fn && each.process.isAlive);
    const [idle] = index < 0 ? [] : this.#idle.splice(index, 1);
    const sandbox = idle ?? { fn, process: this.#start(fn) };
    this.#busy.add(sandbox);
    return sandbox;
  }

  #start(fn: Deployed): FunctionProcess {
    const { proxyPort, onLog } = this.#parts;
    return new FunctionProcess(fn, { proxyPort, onLine: (line) => onLog(fn.logGroup, line) });
  }

  #release(sandbox: Sandbox): void {
    this.#busy.delete(sandbox);
    const isCurrent = this.#deployed.get(sandbox.fn.arn) === sandbox.fn;
    if (isCurrent && sandbox.process.isAlive && !this.#stopped) this.#idle.push(sandbox);
    else sandbox.process.kill();
    if (this.#idle.length > IDLE_SANDBOXES) this.#idle.shift()?.process.kill();
    for (const go of this.#waiting.splice(0)) go();
  }

  stop(): void {
    this.#stopped = true;
    for (const { process } of [...this.#idle, ...this.#busy]) process.kill();
  }
}
