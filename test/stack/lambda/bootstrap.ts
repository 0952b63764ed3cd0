import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { connectAwsTo } from './aws-hosts.ts';
import { followAccountClock, moveClock } from './function-clock.ts';
import type { FromFunction, Invocation, ToFunction } from './messages.ts';
import { defineStreaming, isStreaming } from './streaming.ts';

/*
 * The process of a function, as Lambda's runtime is: loads the handler from the folder of its code and runs one
 * invocation after the other. Its arguments are the folder, the handler and the port of the proxy.
 */

type Handler = (event: unknown, context: unknown) => unknown;

const [, , folder = '', handlerName = '', proxyPort = ''] = process.argv;
const tell = (message: FromFunction): void => void process.send?.(message);

followAccountClock();
connectAwsTo(Number(proxyPort));
defineStreaming();
const [file = '', name = ''] = handlerName.split(/\.(?=[^./]+$)/);
const loaded = (await import(pathToFileURL(join(folder, `${file}.mjs`)).href)) as Readonly<Record<string, Handler>>;
const handler = loaded[name];
if (typeof handler !== 'function') throw new Error(`${file}.mjs exports no function ${name}`);
process.on('message', (message: ToFunction) => {
  if ('invoke' in message) void run(message.invoke);
  else moveClock(message.clockOffsetMs);
});
tell({ ready: true });

async function run(invocation: Invocation): Promise<void> {
  moveClock(invocation.clockOffsetMs);
  try {
    tell({ result: await invoke(handler as Handler, invocation) });
  } catch (error) {
    tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function invoke(called: Handler, { id, event, deadline, arn }: Invocation): Promise<unknown> {
  const context = {
    awsRequestId: id,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    invokedFunctionArn: arn,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    functionVersion: '$LATEST',
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  if (!isStreaming(called)) return called(event, context);
  const out = new Writable({
    write(chunk: Uint8Array, _, done) {
      process.send?.({ part: chunk } satisfies FromFunction, (error: Error | null) => done(error));
    },
  });
  await called(event, out, context);
  await finished(out);
  return null;
}
