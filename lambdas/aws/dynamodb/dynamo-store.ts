import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { clientSettings } from '../client-settings.ts';
import { type RetryingClient, retryingClient, type ServiceOptions } from '../retrying-client.ts';
import type { Attributes } from './attribute-values.ts';

/** Below the 1 s that `Table.count` promises. */
const COUNT_LIMIT_MS = 900;

export type DynamoStore = {
  readonly TableName: string;
  readonly client: DynamoDBClient;
  readonly request: RetryingClient;
  /** The client for counts that a request waits for: its time limit is shorter. */
  readonly requestSoon: RetryingClient;
  /** Epoch seconds, compared with `expiresAt`. */
  now(): number;
};

export function dynamoStore(tableName: string, options: ServiceOptions): DynamoStore {
  return {
    TableName: tableName,
    client: new DynamoDBClient(clientSettings(options.url)),
    request: retryingClient('DynamoDB', options),
    requestSoon: retryingClient('DynamoDB', { limitMs: COUNT_LIMIT_MS, ...options }),
    now: () => Date.now() / 1000,
  };
}

/** DynamoDB executed nothing; `retryingClient` recognises the name and repeats the request. */
export class NotExecuted extends Error {
  override readonly name = 'ThrottlingException';
}

/** Returns the item for which a single change's condition failed (undefined: no item); false for any other error. */
export function conditionFailure(error: unknown): { readonly item: Attributes | undefined } | false {
  return error instanceof ConditionalCheckFailedException && { item: error.Item };
}

/** Returns why a transaction was cancelled, one reason for each change; false for any other error. */
export function cancellation(error: unknown): readonly CancellationReason[] | false {
  return error instanceof TransactionCanceledException && (error.CancellationReasons ?? []);
}
