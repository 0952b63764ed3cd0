import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { UnavailableError } from '../../../core/errors.ts';
import type { Condition, FieldChanges, Item, Key } from '../../../core/ports/table.ts';
import { holds } from '../../port-rules/condition.ts';
import { withChanges } from '../../port-rules/field-changes.ts';
import { checkKey } from '../../port-rules/table-limits.ts';
import { attributesOf, itemOf, keyAttributes } from './attribute-values.ts';
import { conditionExpression } from './condition-expression.ts';
import { conditionFailure, type DynamoStore } from './dynamo-store.ts';
import { asLimit, checkChange, isGone } from './item-limits.ts';
import { Placeholders } from './placeholders.ts';
import { goneFor, updateExpression } from './update-expression.ts';

type Update = FieldChanges & { readonly when?: Condition };

/** Someone else changes an item between two requests only if they race: so many times running, something is wrong. */
const MOST_ROUNDS = 10;

/** As `Table.update`. An item that has expired, which DynamoDB keeps for a while, is replaced by one that begins anew. */
export async function updateItem(store: DynamoStore, key: Key, update: Update): Promise<Item | undefined> {
  checkKey(key);
  checkChange({ update: key, ...update });
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const outcome = await changeLiving(store, key, update);
    if (outcome.item !== undefined) return outcome.item;
    if (!outcome.isGone || !holds(update.when ?? {}, undefined)) return undefined;
    const item = withChanges(key, undefined, update);
    if (await putAnew(store, item)) return item;
  }
  throw new UnavailableError(`An item changed ${MOST_ROUNDS} times while it was updated`);
}

/** The item as it is now, or whether there was none to be changed. */
type Outcome = { readonly item?: Item; readonly isGone?: boolean };

async function changeLiving({ client, TableName, ask, now }: DynamoStore, key: Key, update: Update): Promise<Outcome> {
  const placeholders = new Placeholders();
  const command = new UpdateItemCommand({
    TableName,
    Key: keyAttributes(key),
    UpdateExpression: updateExpression(update, placeholders),
    ConditionExpression: conditionExpression(update.when ?? {}, placeholders, { gone: goneFor(update), now: now() }),
    ...placeholders.parameters(),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const request = async (abortSignal: AbortSignal): Promise<Outcome> => {
    try {
      const { Attributes } = await client.send(command, { abortSignal });
      return { item: itemOf({ ...Attributes, ...keyAttributes(key) }) };
    } catch (error) {
      const failure = conditionFailure(error);
      if (failure) return { isGone: isGone(failure.item, now()) };
      throw asLimit(error);
    }
  };
  return ask(request, { repeatable: isRepeatable(update) });
}

/** Twice is as good as once where nothing is added and no condition would be broken by the change itself. */
const isRepeatable = ({ add, when }: Update): boolean => add === undefined && when === undefined;

/** Answers whether there was nothing, or only an expired item. */
async function putAnew({ client, TableName, ask, now }: DynamoStore, item: Item): Promise<boolean> {
  const placeholders = new Placeholders();
  const command = new PutItemCommand({
    TableName,
    Item: attributesOf(item),
    ConditionExpression: conditionExpression({ exists: false }, placeholders, { gone: 'absent', now: now() }),
    ...placeholders.parameters(),
  });
  const request = async (abortSignal: AbortSignal): Promise<boolean> => {
    try {
      await client.send(command, { abortSignal });
      return true;
    } catch (error) {
      if (conditionFailure(error)) return false;
      throw error;
    }
  };
  return ask(request, { repeatable: false });
}
