import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import type { Timetable } from '../../domain/ports/timetable.ts';
import { clientSettings } from '../client-settings.ts';
import { retryingClient, type ServiceOptions } from '../retrying-client.ts';

type SchedulerResources = { readonly group: string; readonly roleArn: string; readonly queueArn: string };

/** EventBridge Scheduler replaces this text in an input with the time at which the schedule was due. */
const DUE_AT = '<aws.scheduler.scheduled-time>';
const MINUTE = 60;

/** Returns a `Timetable` on EventBridge Scheduler: one group with one schedule per site, named by the site's id. */
export function schedulerTimetable(resources: SchedulerResources, options: ServiceOptions = {}): Timetable {
  const request = retryingClient('EventBridge Scheduler', options);
  const client = new SchedulerClient(clientSettings(options.url));
  return {
    async set(siteId, everySeconds) {
      const schedule = scheduleOf(siteId, everySeconds, resources);
      await request(async (abortSignal) => {
        try {
          await client.send(new CreateScheduleCommand(schedule), { abortSignal });
        } catch (error) {
          if (!(error instanceof ConflictException)) throw error;
          await client.send(new UpdateScheduleCommand(schedule), { abortSignal });
        }
      });
    },

    async remove(siteId) {
      const command = new DeleteScheduleCommand({ Name: siteId, GroupName: resources.group });
      await request(async (abortSignal) => {
        try {
          await client.send(command, { abortSignal });
        } catch (error) {
          if (!(error instanceof ResourceNotFoundException)) throw error;
        }
      });
    },
  };
}

/** Returns the schedule. Its rate counts from the start date, when it is due for the first time. */
function scheduleOf(
  siteId: string,
  everySeconds: number,
  { group, roleArn, queueArn }: SchedulerResources,
): CreateScheduleCommandInput {
  return {
    Name: siteId,
    GroupName: group,
    ScheduleExpression: `rate(${everySeconds / MINUTE} minutes)`,
    StartDate: new Date(Date.now() + everySeconds * 1000),
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: queueArn, RoleArn: roleArn, Input: JSON.stringify({ siteId, dueAt: DUE_AT }) },
  };
}
