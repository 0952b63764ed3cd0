import { randomUUID } from 'node:crypto';
import { type CancellationReason, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { UnavailableError } from '../../../core/errors.ts';
import { holds } from '../../port-rules/condition.ts';
import { withChanges } from '../../port-rules/field-changes.ts';
import { checkChanges, checkWriteBytes } from '../../port-rules/table-limits.ts';
import type { Change } from '../../ports.ts';
import type { Attributes } from './attribute-values.ts';
import { cancellation, type DynamoStore, Refusal } from './dynamo-store.ts';
import { asLimit, checkChange, isGone } from './item-limits.ts';
import { transactItem } from './transact-item.ts';

/** Another round is needed only for items that expired, or were made anew, since the one before. */
const MOST_ROUNDS = 10;

/** As `Table.write`. An update that meets no item, or an expired one, becomes in another round a put of one that begins anew. */
export async function writeAll(store: DynamoStore, changes: readonly Change[]): Promise<readonly number[]> {
  checkChanges(changes);
  checkWriteBytes(changes.reduce((bytes, change) => bytes + checkChange(change), 0));
  if (changes.length === 0) return [];
  const renewed = new Set<number>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const attempted = changes.map((change, place) => (renewed.has(place) ? anew(change) : change));
    const failures = await transact(store, attempted);
    const refused: number[] = [];
    for (const { place, item } of failures) {
      // Someone else made it meanwhile, so it is updated as it is now.
      if (renewed.has(place)) renewed.delete(place);
      else if (canBeginAnew(changes[place], item, store.now())) renewed.add(place);
      else refused.push(place);
    }
    if (failures.length === 0 || refused.length > 0) return refused;
  }
  throw new UnavailableError(`Items changed ${MOST_ROUNDS} times while they were written`);
}

function canBeginAnew(change: Change | undefined, item: Attributes | undefined, now: number): boolean {
  return change !== undefined && 'update' in change && isGone(item, now) && holds(change.when ?? {}, undefined);
}

function anew(change: Change): Change {
  if (!('update' in change)) return change;
  return { put: withChanges(change.update, undefined, change), when: { exists: false } };
}

/** A change whose condition did not hold; for an update, also the item that it met. */
type Failure = { readonly place: number; readonly item?: Attributes | undefined };

async function transact({ client, TableName, ask, now }: DynamoStore, changes: readonly Change[]) {
  const TransactItems = changes.map((change) => transactItem(TableName, change, now()));
  // With the same token, a repeat changes nothing where only the answer was lost.
  let ClientRequestToken: string = randomUUID();
  return ask(async (abortSignal): Promise<readonly Failure[]> => {
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }), { abortSignal });
      return [];
    } catch (error) {
      const reasons = cancellation(error);
      if (!reasons) throw asLimit(error);
      ClientRequestToken = randomUUID();
      return failuresOf(reasons, error);
    }
  });
}

const FAULTS = ['ValidationError', 'ItemCollectionSizeLimitExceeded'];

/** Throws unless conditions are all that stood in the way. What else does, load or someone else's write, passes. */
function failuresOf(reasons: readonly CancellationReason[], cause: unknown): readonly Failure[] {
  const others = reasons.filter(({ Code = 'None' }) => Code !== 'None' && Code !== 'ConditionalCheckFailed');
  const fault = others.find(({ Code = '' }) => FAULTS.includes(Code));
  if (fault !== undefined) throw new RangeError(`${fault.Code}: ${fault.Message}`, { cause });
  const failures = reasons.flatMap(({ Code, Item }, place) =>
    Code === 'ConditionalCheckFailed' ? [{ place, item: Item }] : [],
  );
  if (others.length > 0 || failures.length === 0) {
    throw new Refusal(others[0]?.Message ?? 'A write was cancelled', { cause });
  }
  return failures;
}
