import { describe, expect, it } from '@jest/globals';
import { setAwsEnvironment } from '../engines/aws-environment.ts';
import { type Answer, answer, scriptedServer } from '../support/scripted-server.ts';

setAwsEnvironment({});
const { schedulerTimetable } = await import('../../lambdas/aws/scheduler/scheduler-timetable.ts');
const RESOURCES = {
  group: 'site-search',
  roleArn: 'arn:aws:iam::111122223333:role/sends-starts',
  queueArn: 'arn:aws:sqs:us-east-1:111122223333:site-search-starts',
};
const SITE = '01890000-0000-7000-8000-000000000001';
const DAY = 86_400;

const failing = (status: number, type: string): Answer => {
  const body = { Message: type };
  return (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'x-amzn-errortype': type })
      .end(JSON.stringify(body));
};
const OK = answer(200, { ScheduleArn: 'arn:aws:scheduler:us-east-1:111122223333:schedule/site-search/x' });

/** A busy machine may take half a second for an answer, which would be asked for again. */
async function against(answers: readonly [Answer, ...Answer[]], call: 'set' | 'remove', limitMs = 5000) {
  const server = await scriptedServer(...answers);
  const timetable = schedulerTimetable(RESOURCES, { url: server.url, limitMs });
  const [outcome] = await Promise.allSettled([call === 'set' ? timetable.set(SITE, DAY) : timetable.remove(SITE)]);
  await server.close();
  const requests = server.requests.map(({ method, path, body }) => ({ method, path, body: JSON.parse(body || '{}') }));
  return { outcome, requests };
}

describe('a timetable on EventBridge Scheduler', () => {
  it('creates a schedule in its group that first sends to the queue one interval from now', async () => {
    const { outcome, requests } = await against([OK], 'set');
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    expect(requests).toEqual([
      {
        method: 'POST',
        path: `/schedules/${SITE}`,
        body: {
          ClientToken: expect.any(String),
          GroupName: 'site-search',
          ScheduleExpression: 'rate(1440 minutes)',
          StartDate: expect.any(Number),
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: {
            Arn: RESOURCES.queueArn,
            RoleArn: RESOURCES.roleArn,
            Input: `{"siteId":"${SITE}","dueAt":"<aws.scheduler.scheduled-time>"}`,
          },
        },
      },
    ]);
    const seconds = requests[0]?.body.StartDate - Date.now() / 1000;
    expect(Math.abs(seconds - DAY)).toBeLessThan(60);
  });

  it('replaces the schedule of a site that has one', async () => {
    const { outcome, requests } = await against([failing(409, 'ConflictException'), OK], 'set');
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /schedules/${SITE}`,
      `PUT /schedules/${SITE}`,
    ]);
    expect(requests[1]?.body).toMatchObject({ GroupName: 'site-search', ScheduleExpression: 'rate(1440 minutes)' });
  });

  it('deletes a schedule, and ignores one that is not there', async () => {
    for (const response of [OK, failing(404, 'ResourceNotFoundException')]) {
      const { outcome, requests } = await against([response], 'remove');
      expect(outcome).toMatchObject({ status: 'fulfilled' });
      expect(requests[0]).toMatchObject({ method: 'DELETE' });
      expect(requests[0]?.path).toContain(`/schedules/${SITE}?`);
      expect(requests[0]?.path).toContain('groupName=site-search');
    }
  });

  it('is unavailable while the service fails', async () => {
    const { outcome } = await against([failing(500, 'InternalServerException')], 'set', 500);
    expect(outcome).toMatchObject({ reason: { name: 'UnavailableError' } });
  });

  it('says why the service rejects a request', async () => {
    const { outcome } = await against([failing(403, 'AccessDeniedException')], 'set');
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('AccessDenied') } });
  });
});
