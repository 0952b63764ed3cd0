import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
  CancellationReason,
  GetItemInput,
  GetItemOutput,
  PutItemInput,
  PutItemOutput,
  QueryInput,
  QueryOutput,
  TransactWriteItemsInput,
  TransactWriteItemsOutput,
  UpdateItemInput,
  UpdateItemOutput,
} from '@aws-sdk/client-dynamodb';
import { type Ask, asker, type ServiceOptions } from '../asker.ts';
import { type JsonClient, JsonServiceError, jsonClient } from '../json-client.ts';
import { needed } from '../needed.ts';
import type { Attributes } from './attribute-values.ts';

type DynamoCalls = {
  readonly GetItem: readonly [GetItemInput, GetItemOutput];
  readonly BatchGetItem: readonly [BatchGetItemInput, BatchGetItemOutput];
  readonly BatchWriteItem: readonly [BatchWriteItemInput, BatchWriteItemOutput];
  readonly PutItem: readonly [PutItemInput, PutItemOutput];
  readonly Query: readonly [QueryInput, QueryOutput];
  readonly TransactWriteItems: readonly [TransactWriteItemsInput, TransactWriteItemsOutput];
  readonly UpdateItem: readonly [UpdateItemInput, UpdateItemOutput];
};

/** One table of DynamoDB, and how it is asked. */
export type DynamoStore = {
  readonly TableName: string;
  readonly call: JsonClient<DynamoCalls>;
  readonly ask: Ask;
  /** Epoch seconds, by which items expire. */
  now(): number;
};

export function dynamoStore(tableName: string, options: ServiceOptions): DynamoStore {
  const service = { name: 'dynamodb', target: 'DynamoDB_20120810', region: needed('AWS_REGION'), url: options.url };
  return {
    TableName: tableName,
    call: jsonClient<DynamoCalls>(service),
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
  const isOne = error instanceof JsonServiceError && error.name === 'ConditionalCheckFailedException';
  return isOne && { item: error.details.Item as Attributes | undefined };
}

/** Why a transaction was cancelled, one reason for each change; false for any other error. */
export function cancellation(error: unknown): readonly CancellationReason[] | false {
  const isOne = error instanceof JsonServiceError && error.name === 'TransactionCanceledException';
  return isOne && ((error.details.CancellationReasons ?? []) as readonly CancellationReason[]);
}
