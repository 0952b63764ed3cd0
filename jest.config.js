import { skippedTests } from './test/engines/skipped-tests.ts';

const { patterns, notice } = skippedTests();
if (notice !== undefined) console.error(notice);

/** Tests run as ES modules: swc strips types, and `#adapters/*` resolves to the local adapters. */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...patterns],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'local'] },
  testTimeout: 20_000,
  testSequencer: '<rootDir>/test/slowest-first.ts',
  // By default Jest leaves one processor idle, but most tests wait for servers.
  maxWorkers: '100%',
};
