import { KnownVersions } from '../../domain/ports/rules/known-versions.ts';
import type { Table } from '../../domain/ports/table.ts';
import { env } from '../../env.ts';
import { requireEnv } from '../require-env.ts';
import { dynamoTable } from './dynamo-table.ts';

/** The stack's table. A function that imports `table-reader.ts` may only read it; `table.ts` also permits writes. */
export const ownTable: Table = {
  ...dynamoTable(requireEnv('TABLE_NAME'), { url: env.DYNAMODB_URL }),
  versions: new KnownVersions(),
};
