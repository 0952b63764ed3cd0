import { tableReader as table } from '#adapters/table';
import { testPatterns } from '../domain/insight/inspection/test-patterns.ts';
import { inspection } from '../routes/inspection.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(inspection['test-patterns'], ({ params, body, caller }) =>
  testPatterns({ ...params, ...body }, caller, { table }),
);
