import type { Table } from '../domain/ports/table.ts';
import { ownTable } from './dynamodb/own-table.ts';

export const table: Table = ownTable;
