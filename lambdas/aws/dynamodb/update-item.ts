import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { UnavailableError } from '../../domain/errors.ts';
import { holds } from '../../domain/ports/rules/condition.ts';
import { withChanges } from '../../domain/ports/rules/field-changes.ts';
import { checkKey } from '../../domain/ports/rules/table-limits.ts';
import type { Condition, FieldChanges, Item, Key } from '../../domain/ports/table.ts';
import { attributesOf, itemOf, keyAttributes } from './attribute-values.ts';
import { conditionExpression } from './condition-expression.ts';
import { conditionFailure, type DynamoStore } from './dynamo-store.ts';
import { asRangeError, checkChange, isMissing } from './item-limits.ts';
import { Placeholders } from './placeholders.ts';
import { missingItemFor, updateExpression } from './update-expression.ts';

type Update = FieldChanges & { readonly when?: Condition };

/** A round is repeated only if another writer changed the item between its two requests. */
const MAX_ROUNDS = 10;

/** Implements `Table.update`. An expired item that DynamoDB has not deleted yet is replaced by a new one. */
export async function updateItem(store: DynamoStore, key: Key, update: Update): Promise<Item | undefined> {
  checkKey(key);
  checkChange({ update: key, ...update });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const outcome = await updateExisting(store, key, update);
    if (outcome.item !== undefined) return outcome.item;
    if (!outcome.isMissing || !holds(update.when ?? {}, undefined)) return undefined;
    const item = withChanges(key, undefined, update);
    if (await createItem(store, item)) return item;
  }
  throw new UnavailableError(`Another writer changed the item during each of ${MAX_ROUNDS} attempts to update it`);
}

type Outcome = { readonly item?: Item; readonly isMissing?: boolean };

async function updateExisting(
  { client, TableName, request, now }: DynamoStore,
  key: Key,
  update: Update,
): Promise<Outcome> {
  const placeholders = new Placeholders();
  const command = new UpdateItemCommand({
    TableName,
    Key: keyAttributes(key),
    UpdateExpression: updateExpression(update, placeholders),
    ConditionExpression: conditionExpression(update.when ?? {}, placeholders, {
      missing: missingItemFor(update),
      now: now(),
    }),
    ...placeholders.parameters(),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const send = async (abortSignal: AbortSignal): Promise<Outcome> => {
    try {
      const { Attributes } = await client.send(command, { abortSignal });
      return { item: itemOf({ ...Attributes, ...keyAttributes(key) }) };
    } catch (error) {
      const failure = conditionFailure(error);
      if (failure) return { isMissing: isMissing(failure.item, now()) };
      throw asRangeError(error);
    }
  };
  return request(send, { repeatable: isRepeatable(update) });
}

/**
 * Returns false with `add`, which would count twice, and with a condition, which the first execution may have made
 * false.
 */
const isRepeatable = ({ add, when }: Update): boolean => add === undefined && when === undefined;

async function createItem({ client, TableName, request, now }: DynamoStore, item: Item): Promise<boolean> {
  const placeholders = new Placeholders();
  const command = new PutItemCommand({
    TableName,
    Item: attributesOf(item),
    ConditionExpression: conditionExpression({ exists: false }, placeholders, {
      missing: 'expired is absent',
      now: now(),
    }),
    ...placeholders.parameters(),
  });
  const send = async (abortSignal: AbortSignal): Promise<boolean> => {
    try {
      await client.send(command, { abortSignal });
      return true;
    } catch (error) {
      if (conditionFailure(error)) return false;
      throw error;
    }
  };
  return request(send, { repeatable: false });
}
