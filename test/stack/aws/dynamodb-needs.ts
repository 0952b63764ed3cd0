import { ACCOUNT, REGION } from '../template/physical-names.ts';
import type { AwsCall, Need } from './aws-call.ts';

type Attributes = Readonly<Record<string, { readonly S?: string }>>;
type Write = { readonly TableName: string; readonly Key?: Attributes; readonly Item?: Attributes };
type Input = {
  readonly TableName?: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, Write>>[];
};

const SINGLE = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'];
const OF_TRANSACTION: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** A transaction needs the permissions of its items; a batch needs a separate one. */
export function dynamoDbNeeds({ target, body }: AwsCall): readonly Need[] {
  const operation = /^DynamoDB_20120810\.(\w+)$/.exec(target)?.[1] ?? '';
  const input = JSON.parse(String(body)) as Input;
  const { TableName = '' } = input;
  if (SINGLE.includes(operation)) return [need(operation, TableName, [input])];
  switch (operation) {
    case 'Query':
      return [need('Query', TableName, [{ Key: { pk: { S: queriedPartition(input) } } }])];
    case 'BatchGetItem':
      return Object.entries(input.RequestItems ?? {}).map(([table, request]) =>
        need(
          operation,
          table,
          (request as { Keys: Attributes[] }).Keys.map((Key) => ({ Key })),
        ),
      );
    case 'BatchWriteItem':
      return Object.entries(input.RequestItems ?? {}).map(([table, requests]) =>
        need(
          operation,
          table,
          (requests as Record<string, Write>[]).flatMap((each) => Object.values(each)),
        ),
      );
    case 'TransactWriteItems':
      return (input.TransactItems ?? []).flatMap((item) =>
        Object.entries(item).map(([kind, write]) => need(actionOf(kind), write.TableName, [write])),
      );
    default:
      throw new Error(`unknown call ${target}`);
  }
}

function actionOf(kind: string): string {
  const action = OF_TRANSACTION[kind];
  if (action === undefined) throw new Error(`unknown item ${kind} of a transaction`);
  return action;
}

function need(
  operation: string,
  table: string,
  items: readonly { readonly Key?: Attributes; readonly Item?: Attributes }[],
): Need {
  const keys = items.map(({ Key, Item }) => (Key ?? Item)?.pk?.S);
  if (keys.includes(undefined)) throw new Error(`${operation} names no partition`);
  return {
    action: `dynamodb:${operation}`,
    resource: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${table}`,
    context: { 'dynamodb:LeadingKeys': [...new Set(keys.flatMap((key) => key ?? []))] },
  };
}

function queriedPartition({ KeyConditionExpression = '', ...names }: Input): string {
  for (const [, name = '', value = ''] of KeyConditionExpression.matchAll(/(#?\w+)\s*=\s*(:\w+)/g)) {
    const isPartition = (names.ExpressionAttributeNames?.[name] ?? name) === 'pk';
    const key = names.ExpressionAttributeValues?.[value]?.S;
    if (isPartition && key !== undefined) return key;
  }
  throw new Error(`no partition in ${KeyConditionExpression}`);
}
