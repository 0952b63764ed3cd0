import type { Table } from '../../../core/ports/table.ts';
import { env } from '../../../env.ts';
import { requireEnv } from '../require-env.ts';
import { dynamoTable } from './dynamo-table.ts';

/** Of the stack. What a function may do with it follows from which of `table.ts` and `table-reader.ts` it imports. */
export const ownTable: Table = dynamoTable(requireEnv('TABLE_NAME'), { url: env.DYNAMODB_URL });
