import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Change, Condition } from '../../../core/ports/table.ts';
import { attributesOf, keyAttributes } from './attribute-values.ts';
import { conditionExpression, type Gone } from './condition-expression.ts';
import { Placeholders } from './placeholders.ts';
import { goneFor, updateExpression } from './update-expression.ts';

/** DynamoDB has no check without an expression. */
const ALWAYS = 'attribute_exists(pk) OR attribute_not_exists(pk)';

/** A change in DynamoDB's words. An update that is refused tells what it met. */
export function transactItem(TableName: string, change: Change, now: number): TransactWriteItem {
  const placeholders = new Placeholders();
  const condition = (when: Condition | undefined, gone: Gone) =>
    conditionExpression(when ?? {}, placeholders, { gone, now });
  if ('put' in change) {
    const ConditionExpression = condition(change.when, 'absent');
    return { Put: { TableName, Item: attributesOf(change.put), ConditionExpression, ...placeholders.parameters() } };
  }
  if ('remove' in change) {
    const [Key, ConditionExpression] = [keyAttributes(change.remove), condition(change.when, 'absent')];
    return { Delete: { TableName, Key, ConditionExpression, ...placeholders.parameters() } };
  }
  if ('check' in change) {
    const [Key, ConditionExpression] = [keyAttributes(change.check), condition(change.when, 'absent') ?? ALWAYS];
    return { ConditionCheck: { TableName, Key, ConditionExpression, ...placeholders.parameters() } };
  }
  const UpdateExpression = updateExpression(change, placeholders);
  const update = {
    TableName,
    Key: keyAttributes(change.update),
    ConditionExpression: condition(change.when, goneFor(change)),
    ...placeholders.parameters(),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  // An update of nothing is a check that the item is there.
  return UpdateExpression === undefined
    ? { ConditionCheck: { ...update, ConditionExpression: update.ConditionExpression ?? ALWAYS } }
    : { Update: { ...update, UpdateExpression } };
}
