import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { clientSettings } from '../client-settings.ts';
import { type Ask, asker, type ServiceOptions } from '../retrying-client.ts';
import type { Attributes } from './attribute-values.ts';

/** One table of DynamoDB, and how it is asked. */
export type DynamoStore = {
  readonly TableName: string;
  readonly client: DynamoDBClient;
  readonly ask: Ask;
  /** Epoch seconds, by which items expire. */
  now(): number;
};

export function dynamoStore(tableName: string, options: ServiceOptions): DynamoStore {
  return {
    TableName: tableName,
    client: new DynamoDBClient(clientSettings(options.url)),
    ask: asker('DynamoDB', options),
    now: () => Date.now() / 1000,
  };
}

/** DynamoDB did nothing for now: `Ask` repeats the request. */
export class Refusal extends Error {
  override readonly name = 'ThrottlingException';
}

/** The item that a single change met whose condition did not hold (undefined: none); false for any other error. */
export function conditionFailure(error: unknown): { readonly item: Attributes | undefined } | false {
  return error instanceof ConditionalCheckFailedException && { item: error.Item };
}

/** Why a transaction was cancelled, one reason for each change; false for any other error. */
export function cancellation(error: unknown): readonly CancellationReason[] | false {
  return error instanceof TransactionCanceledException && (error.CancellationReasons ?? []);
}
