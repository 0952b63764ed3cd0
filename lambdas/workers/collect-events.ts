import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsDecodedData, CloudWatchLogsEvent } from 'aws-lambda';
import { queue } from '#adapters/queue';
import { sendEvents } from '../domain/analytics/new-events.ts';
import { LoggedEvent } from '../domain/ports/logged-event.ts';
import { log } from '../runtime/log.ts';

/** Sends events to their queue. CloudWatch calls it with log lines that contain events (aws/event-sink.ts). */
export async function handler({ awslogs }: CloudWatchLogsEvent): Promise<void> {
  const text = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString();
  const { messageType, logEvents } = JSON.parse(text) as CloudWatchLogsDecodedData;
  if (messageType !== 'DATA_MESSAGE') return; // CloudWatch checks whether it can deliver
  const events = logEvents.flatMap(({ message }) => eventIn(message) ?? []);
  if (events.length < logEvents.length)
    log('warn', 'log lines that are no events were skipped', { count: logEvents.length - events.length });
  await sendEvents(events, queue);
}

function eventIn(line: string): LoggedEvent | undefined {
  try {
    return LoggedEvent.safeParse(JSON.parse(line).event).data;
  } catch {
    return undefined;
  }
}
