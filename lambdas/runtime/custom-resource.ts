import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import { cut } from '../text/words/folding.ts';
import { log } from './log.ts';

/** CloudFormation takes at most 4,096 bytes for the whole answer. */
const MAX_REASON_LENGTH = 1000;
/** The time reserved for sending the answer. */
const ANSWER_MS = 10_000;

type Result = { readonly Status: 'SUCCESS' } | { readonly Status: 'FAILED'; readonly Reason: string };

export type CustomResource = {
  /** Creates or updates the resource. */
  readonly run: (properties: unknown) => Promise<void>;
  readonly remove: (properties: unknown) => Promise<void>;
};

/**
 * Creates a handler that answers CloudFormation in every case: without an answer, a deployment waits until its own time
 * limit and ends without a reason. The reason of a failure is the message of its error.
 */
export function customResource(
  physicalId: string,
  { run, remove }: CustomResource,
): (event: CloudFormationCustomResourceEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) => Promise<void> {
  return async (event, context) => {
    const { RequestType, ResourceProperties, StackId, RequestId, LogicalResourceId } = event;
    const limitMs = Math.max(0, context.getRemainingTimeInMillis() - ANSWER_MS);
    const step = RequestType === 'Delete' ? remove : run;
    const result = await resultOf(() => step(ResourceProperties), limitMs);
    const answer = { ...result, StackId, RequestId, LogicalResourceId, PhysicalResourceId: physicalId };
    // A body of bytes has no content type, and the URL is signed for a request without one.
    await fetch(event.ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
  };
}

async function resultOf(run: () => Promise<void>, limitMs: number): Promise<Result> {
  const { promise: reached, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No result after ${Math.round(limitMs / 1000)} s`)), limitMs);
  try {
    await Promise.race([run(), reached]);
    return { Status: 'SUCCESS' };
  } catch (error) {
    log('error', 'the deployment failed', { error });
    return { Status: 'FAILED', Reason: cut(error instanceof Error ? error.message : String(error), MAX_REASON_LENGTH) };
  } finally {
    clearTimeout(timer);
  }
}
