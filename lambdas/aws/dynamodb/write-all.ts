import { randomUUID } from 'node:crypto';
import { type CancellationReason, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { UnavailableError } from '../../domain/errors.ts';
import { holds } from '../../domain/ports/rules/condition.ts';
import { withChanges } from '../../domain/ports/rules/field-changes.ts';
import { checkChanges, checkWriteBytes } from '../../domain/ports/rules/table-limits.ts';
import type { Change } from '../../domain/ports/table.ts';
import type { Attributes } from './attribute-values.ts';
import { cancellation, type DynamoStore, NotExecuted } from './dynamo-store.ts';
import { asRangeError, checkChange, isMissing } from './item-limits.ts';
import { transactItem } from './transact-item.ts';

/** A round is repeated only if items expired or were created since the last one. */
const MAX_ROUNDS = 10;

/** Implements `Table.write`. An update of an absent or expired item is repeated as a put of a new item. */
export async function writeAll(store: DynamoStore, changes: readonly Change[]): Promise<readonly Change[]> {
  checkChanges(changes);
  checkWriteBytes(changes.reduce((bytes, change) => bytes + checkChange(change), 0));
  if (changes.length === 0) return [];
  const recreated = new Set<Change>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const attempted = changes.map((change) => (recreated.has(change) ? recreation(change) : change));
    const failures = await transact(store, attempted);
    const refused: Change[] = [];
    for (const [index, failure] of failures) {
      const change = changes[index] as Change;
      // Another writer has created the item since, so the change is an update again.
      if (recreated.has(change)) recreated.delete(change);
      else if (canBeRecreated(change, failure.item, store.now())) recreated.add(change);
      else refused.push(change);
    }
    if (failures.size === 0 || refused.length > 0) return refused;
  }
  throw new UnavailableError(`Other writers changed the items during each of ${MAX_ROUNDS} attempts to write them`);
}

function canBeRecreated(change: Change, item: Attributes | undefined, now: number): boolean {
  return 'update' in change && isMissing(item, now) && holds(change.when ?? {}, undefined);
}

function recreation(change: Change): Change {
  if (!('update' in change)) return change;
  return { put: withChanges(change.update, undefined, change), when: { exists: false } };
}

/** The failed conditions by index of their change; for an update, with the item that it found. */
type Failures = ReadonlyMap<number, { readonly item?: Attributes | undefined }>;

async function transact({ client, TableName, request, now }: DynamoStore, changes: readonly Change[]) {
  const TransactItems = changes.map((change) => transactItem(TableName, change, now()));
  // The token makes a repeat harmless if only the answer was lost.
  let ClientRequestToken: string = randomUUID();
  return request(async (abortSignal): Promise<Failures> => {
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }), { abortSignal });
      return new Map();
    } catch (error) {
      const reasons = cancellation(error);
      if (!reasons) throw asRangeError(error);
      ClientRequestToken = randomUUID();
      return failuresOf(reasons, error);
    }
  });
}

const INVALID_REQUEST = ['ValidationError', 'ItemCollectionSizeLimitExceeded'];

/** Throws unless conditions alone failed the transaction. `NotExecuted`, for conflicts and throttling, is repeated. */
function failuresOf(reasons: readonly CancellationReason[], cause: unknown): Failures {
  const others = reasons.filter(({ Code = 'None' }) => Code !== 'None' && Code !== 'ConditionalCheckFailed');
  const invalid = others.find(({ Code = '' }) => INVALID_REQUEST.includes(Code));
  if (invalid !== undefined) throw new RangeError(`${invalid.Code}: ${invalid.Message}`, { cause });
  const failures = new Map(
    reasons.flatMap(({ Code, Item }, index) =>
      Code === 'ConditionalCheckFailed' ? [[index, { item: Item }] as const] : [],
    ),
  );
  if (others.length > 0 || failures.size === 0) {
    throw new NotExecuted(others[0]?.Message ?? 'DynamoDB cancelled a transaction', { cause });
  }
  return failures;
}
