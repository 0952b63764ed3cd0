import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { skippedTests } from './test/engines/skipped-tests.ts';

// Threads that the tests start need no compiler of TypeScript, as in the service (local/server/node-options.ts). It is of
// WebAssembly, and V8 may abort a process in which many threads load some (https://github.com/nodejs/node/issues/64500).
const { env } = process;
env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/site-search', import.meta.url));

const { patterns, notice } = skippedTests();
if (notice !== undefined) console.error(notice);

/**
 * Tests that start services, threads, engines or a browser, or synthesise the stack: all that `npm test` need not wait
 * for. Regular expressions of paths.
 */
const SERVICES = [
  '/test/e2e/',
  '/test/crawls/',
  '/test/local/',
  '/test/lib/',
  '/test/web/dashboard/',
  '/test/web/widgets/',
  '/test/connectors/chromium/',
  '/test/web/widgets/',
  '/test/aws/(table|limiter)',
];

/** Tests run as ES modules, from which swc strips the types. */
const project = {
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
};

/** Two projects: `npm test` runs the first, `npm run test:services` the second (test/run.ts). */
export default {
  projects: [
    {
      ...project,
      displayName: 'quick',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...patterns, ...SERVICES],
    },
    {
      ...project,
      displayName: 'services',
      testRegex: SERVICES.map((path) => `${path}.*\\.test\\.ts$`),
      testPathIgnorePatterns: ['/node_modules/', ...patterns],
    },
  ],
  testTimeout: 60_000,
  // Most tests wait for servers, so a processor has room for more than one of them.
  // Modules of finished files stay in a worker's memory, and collecting garbage there takes longer with each file.
  workerIdleMemoryLimit: '600MB',
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
};
