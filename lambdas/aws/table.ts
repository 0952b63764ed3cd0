import type { Table } from '../../core/ports/table.ts';
import { ownTable } from './dynamodb/own-table.ts';

export const table: Table = ownTable;
