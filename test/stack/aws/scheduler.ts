import * as z from 'zod';
import type { AccountClock } from '../account-clock.ts';
import type { AwsCall } from './aws-call.ts';
import type { EngineAnswer } from './engine-request.ts';

const Schedule = z.strictObject({
  ClientToken: z.string().optional(),
  GroupName: z.string(),
  ScheduleExpression: z.string().regex(/^rate\(\d+ minutes\)$/),
  /** Epoch seconds. */
  StartDate: z.number(),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  Target: z.strictObject({ Arn: z.string(), RoleArn: z.string(), Input: z.string() }),
});
type Schedule = z.infer<typeof Schedule>;

export type Due = { readonly schedule: Schedule; readonly input: string };

/** EventBridge Scheduler, as far as the service uses it. A request that it does not know fails. */
export class Scheduler {
  readonly #schedules = new Map<string, Schedule & { nextAt: number }>();
  readonly #clock: AccountClock;
  readonly #groups: () => readonly string[];

  constructor(clock: AccountClock, groups: () => readonly string[]) {
    this.#clock = clock;
    this.#groups = groups;
  }

  get names(): readonly string[] {
    return [...this.#schedules.keys()];
  }

  readonly answer = async ({ method, path, body }: AwsCall): Promise<EngineAnswer> => {
    const { pathname, searchParams } = new URL(path, 'http://scheduler');
    const name = decodeURIComponent(pathname.slice('/schedules/'.length));
    if (method === 'DELETE') return this.#remove(name, searchParams.get('groupName') ?? '');
    const schedule = Schedule.parse(JSON.parse(String(body)));
    if (!this.#groups().includes(schedule.GroupName)) return notFound(`Schedule group ${schedule.GroupName}`);
    const exists = this.#schedules.has(name);
    if (method === 'POST' && exists) return answer(409, 'ConflictException', `Schedule ${name} already exists.`);
    if (method === 'PUT' && !exists) return notFound(`Schedule ${name}`);
    this.#schedules.set(name, { ...schedule, nextAt: schedule.StartDate * 1000 });
    const ScheduleArn = `arn:aws:scheduler:::schedule/${schedule.GroupName}/${name}`;
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ ScheduleArn })) };
  };

  #remove(name: string, group: string): EngineAnswer {
    if (this.#schedules.get(name)?.GroupName !== group) return notFound(`Schedule ${name}`);
    this.#schedules.delete(name);
    return { status: 200, headers: {}, body: Buffer.from('{}') };
  }

  /** The schedules that have come due since the last call, each once. */
  takeDue(): readonly Due[] {
    const now = this.#clock.now();
    const due = [...this.#schedules.values()].filter(({ nextAt }) => nextAt <= now);
    return due.map((schedule) => {
      const time = new Date(schedule.nextAt).toISOString().replace(/\.\d+Z$/, 'Z');
      const periodMs = Number(/\d+/.exec(schedule.ScheduleExpression)?.[0]) * 60_000;
      schedule.nextAt += Math.ceil((now - schedule.nextAt + 1) / periodMs) * periodMs;
      return { schedule, input: schedule.Target.Input.replaceAll('<aws.scheduler.scheduled-time>', time) };
    });
  }
}

const notFound = (what: string): EngineAnswer => answer(404, 'ResourceNotFoundException', `${what} does not exist.`);

const answer = (status: number, type: string, Message: string): EngineAnswer => ({
  status,
  headers: { 'x-amzn-errortype': type, 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ Message })),
});
