import type { Notes, TableReader } from '../domain/ports/table.ts';
import { ownTable } from './dynamodb/own-table.ts';

export const table: TableReader & Notes = ownTable;
