import { env } from '../../env.ts';
import type { Table } from '../ports.ts';
import { dynamoTable } from './dynamodb/dynamo-table.ts';
import { needed } from './needed.ts';

export const table: Table = dynamoTable(needed('TABLE_NAME'), { url: env.DYNAMODB_URL });
