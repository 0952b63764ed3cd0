import type { Notes, TableReader } from '../../core/ports/table.ts';
import { table as own } from './table.ts';

export const table: TableReader & Notes = own;
