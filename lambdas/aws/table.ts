import { KnownVersions } from '../domain/ports/rules/known-versions.ts';
import type { Counters, Table, TableReader } from '../domain/ports/table.ts';
import { env } from '../env.ts';
import { dynamoTable } from './dynamodb/dynamo-table.ts';
import { requireEnv } from './require-env.ts';

export const table: Table = {
  ...dynamoTable(requireEnv('TABLE_NAME'), { url: env.DYNAMODB_URL }),
  versions: new KnownVersions(),
};
/** For functions whose role may write counters only (`Counters` in domain/ports/table.ts). */
export const tableReader: TableReader & Counters = table;
