import { randomUUID } from 'node:crypto';
import { type CancellationReason, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { UnavailableError } from '../../../core/errors.ts';
import type { Change } from '../../../core/ports/table.ts';
import { holds } from '../../port-rules/condition.ts';
import { withChanges } from '../../port-rules/field-changes.ts';
import { checkChanges, checkWriteBytes } from '../../port-rules/table-limits.ts';
import type { Attributes } from './attribute-values.ts';
import { cancellation, type DynamoStore, Refusal } from './dynamo-store.ts';
import { asLimit, checkChange, isGone } from './item-limits.ts';
import { transactItem } from './transact-item.ts';

/** Another round is needed only where items expired, or were created, since the last one. */
const MOST_ROUNDS = 10;

/** As `Table.write`. An update of an absent or expired item is retried as a put of a new one. */
export async function writeAll(store: DynamoStore, changes: readonly Change[]): Promise<readonly Change[]> {
  checkChanges(changes);
  checkWriteBytes(changes.reduce((bytes, change) => bytes + checkChange(change), 0));
  if (changes.length === 0) return [];
  const renewed = new Set<Change>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const attempted = changes.map((change) => (renewed.has(change) ? recreation(change) : change));
    const failures = await transact(store, attempted);
    const refused: Change[] = [];
    for (const [index, failure] of failures) {
      const change = changes[index] as Change;
      // Another writer created it meanwhile, so it is updated as it is now.
      if (renewed.has(change)) renewed.delete(change);
      else if (canBeRecreated(change, failure.item, store.now())) renewed.add(change);
      else refused.push(change);
    }
    if (failures.size === 0 || refused.length > 0) return refused;
  }
  throw new UnavailableError(`Items changed ${MOST_ROUNDS} times while they were written`);
}

function canBeRecreated(change: Change, item: Attributes | undefined, now: number): boolean {
  return 'update' in change && isGone(item, now) && holds(change.when ?? {}, undefined);
}

function recreation(change: Change): Change {
  if (!('update' in change)) return change;
  return { put: withChanges(change.update, undefined, change), when: { exists: false } };
}

/** Changes whose condition did not hold, by index; for an update, with the item that it found. */
type Failures = ReadonlyMap<number, { readonly item?: Attributes | undefined }>;

async function transact({ client, TableName, ask, now }: DynamoStore, changes: readonly Change[]) {
  const TransactItems = changes.map((change) => transactItem(TableName, change, now()));
  // With the same token, a repeat changes nothing where only the answer was lost.
  let ClientRequestToken: string = randomUUID();
  return ask(async (abortSignal): Promise<Failures> => {
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }), { abortSignal });
      return new Map();
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
function failuresOf(reasons: readonly CancellationReason[], cause: unknown): Failures {
  const others = reasons.filter(({ Code = 'None' }) => Code !== 'None' && Code !== 'ConditionalCheckFailed');
  const fault = others.find(({ Code = '' }) => FAULTS.includes(Code));
  if (fault !== undefined) throw new RangeError(`${fault.Code}: ${fault.Message}`, { cause });
  const failures = new Map(
    reasons.flatMap(({ Code, Item }, index) =>
      Code === 'ConditionalCheckFailed' ? [[index, { item: Item }] as const] : [],
    ),
  );
  if (others.length > 0 || failures.size === 0) {
    throw new Refusal(others[0]?.Message ?? 'A write was cancelled', { cause });
  }
  return failures;
}
