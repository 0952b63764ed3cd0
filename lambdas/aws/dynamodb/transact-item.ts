import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Change, Condition } from '../../domain/ports/table.ts';
import { attributesOf, keyAttributes } from './attribute-values.ts';
import { conditionExpression, type MissingItem } from './condition-expression.ts';
import { Placeholders } from './placeholders.ts';
import { missingItemFor, updateExpression } from './update-expression.ts';

/** DynamoDB's ConditionCheck needs an expression. */
const ALWAYS = 'attribute_exists(pk) OR attribute_not_exists(pk)';

/** Returns a change as a transaction item. An update whose condition fails reports the item that it found. */
export function transactItem(TableName: string, change: Change, now: number): TransactWriteItem {
  const placeholders = new Placeholders();
  const condition = (when: Condition | undefined, missing: MissingItem) =>
    conditionExpression(when ?? {}, placeholders, { missing, now });
  if ('put' in change) {
    const ConditionExpression = condition(change.when, 'expired is absent');
    return { Put: { TableName, Item: attributesOf(change.put), ConditionExpression, ...placeholders.parameters() } };
  }
  if ('remove' in change) {
    const [Key, ConditionExpression] = [keyAttributes(change.remove), condition(change.when, 'expired is absent')];
    return { Delete: { TableName, Key, ConditionExpression, ...placeholders.parameters() } };
  }
  if ('check' in change) {
    const [Key, ConditionExpression] = [
      keyAttributes(change.check),
      condition(change.when, 'expired is absent') ?? ALWAYS,
    ];
    return { ConditionCheck: { TableName, Key, ConditionExpression, ...placeholders.parameters() } };
  }
  const UpdateExpression = updateExpression(change, placeholders);
  const update = {
    TableName,
    Key: keyAttributes(change.update),
    ConditionExpression: condition(change.when, missingItemFor(change)),
    ...placeholders.parameters(),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  // DynamoDB has no update without an expression, so an update that changes nothing becomes a check.
  return UpdateExpression === undefined
    ? { ConditionCheck: { ...update, ConditionExpression: update.ConditionExpression ?? ALWAYS } }
    : { Update: { ...update, UpdateExpression } };
}
