import { type EngineName, engines, hasDynoxide } from './engines.ts';

/** The tests that need an engine. Those of `test/engines` start engines, which takes too long for `npm test`. */
const tests: Readonly<Record<EngineName, { readonly port: string; readonly file: string }>> = {
  dynoxide: { port: 'Table', file: 'aws/(?:table(?:-model)?|limiter)' },
  elasticmq: { port: 'Queue', file: 'aws/queue' },
  s3mock: { port: 'PageStore', file: 'aws/(page-store|edge-logs)' },
  opensearch: { port: 'PageIndex and EventLog', file: 'aws/(page-index|paged-search|event-log)' },
};

/** These tests also need a synthesised stack: only `npm run test:stack` runs them. */
const ofStack = process.env.STACK_FOLDER ? [] : ['/test/stack/stack\\.test\\.ts$'];

/** The tests that `npm test` skips because their engine's URL is not set. dynoxide is installed with the packages. */
export function skippedTests(): { readonly patterns: readonly string[]; readonly notice: string | undefined } {
  const names = (Object.keys(engines) as EngineName[]).filter((name) => !process.env[engines[name].variable]);
  const missing = names.filter((name) => name !== 'dynoxide' || !hasDynoxide()).map((name) => tests[name]);
  if (missing.length === 0) return { patterns: ofStack, notice: undefined };
  const ports = missing.map(({ port }) => port).join(', ');
  return {
    patterns: [...missing.map(({ file }) => `/test/${file}\\.test\\.ts$`), '/test/engines/', ...ofStack],
    notice: `Skipped: the AWS adapters of ${ports}. They need engines: npm run test:engines`,
  };
}
