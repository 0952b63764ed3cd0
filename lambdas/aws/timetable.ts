import type { Timetable } from '../domain/ports/timetable.ts';
import { env } from '../env.ts';
import { requireEnv } from './require-env.ts';
import { schedulerTimetable } from './scheduler/scheduler-timetable.ts';

export const timetable: Timetable = schedulerTimetable(
  {
    group: requireEnv('SCHEDULE_GROUP'),
    roleArn: requireEnv('SCHEDULE_ROLE_ARN'),
    queueArn: requireEnv('STARTS_QUEUE_ARN'),
  },
  { url: env.SCHEDULER_URL },
);
