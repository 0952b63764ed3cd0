import type { Table } from '../../core/ports/table.ts';
import { env } from '../../env.ts';
import { dynamoTable } from './dynamodb/dynamo-table.ts';
import { requireEnv } from './require-env.ts';

export const table: Table = dynamoTable(requireEnv('TABLE_NAME'), { url: env.DYNAMODB_URL });
