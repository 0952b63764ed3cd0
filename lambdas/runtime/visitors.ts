import { tableReader } from '#adapters/table';
import { VisitorNames } from '../domain/analytics/visitor.ts';
import { clock, newSecret } from './system.ts';

/** The names of visitors. A process has one instance, which reads the secret of a day once. */
export const visitors = new VisitorNames({ table: tableReader, clock, newSecret });
