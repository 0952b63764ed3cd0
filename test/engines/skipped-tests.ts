import { type EngineName, engines, hasDynoxide } from './engines.ts';

/** The test that cannot run without an engine. Those of `test/engines` start some themselves, which takes too long for `npm test`. */
const tests: Readonly<Record<EngineName, { readonly port: string; readonly file: string }>> = {
  dynoxide: { port: 'Table', file: 'adapters/aws/table(-model)?' },
  elasticmq: { port: 'Queue', file: 'adapters/aws/queue' },
  s3mock: { port: 'PageStore', file: 'adapters/aws/page-store' },
  opensearch: { port: 'PageIndex', file: 'adapters/aws/page-index' },
};

/** What `npm test` leaves out where no engine is named; `npm run test:engines` names all. dynoxide is there by itself. */
export function skippedTests(): { readonly patterns: readonly string[]; readonly notice: string | undefined } {
  const names = (Object.keys(engines) as EngineName[]).filter((name) => !process.env[engines[name].variable]);
  const missing = names.filter((name) => name !== 'dynoxide' || !hasDynoxide()).map((name) => tests[name]);
  if (missing.length === 0) return { patterns: [], notice: undefined };
  const ports = missing.map(({ port }) => port).join(', ');
  return {
    patterns: [...missing.map(({ file }) => `/test/${file}\\.test\\.ts$`), '/test/engines/'],
    notice: `Left out, for they need engines (npm run test:engines): the AWS adapters of ${ports}`,
  };
}
