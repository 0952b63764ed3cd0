import { skippedTests } from './test/engines/skipped-tests.ts';

const { patterns, notice } = skippedTests();
if (notice !== undefined) console.error(notice);

/** ESM all the way: .ts is stripped by swc, `#adapters/*` resolves to the local adapters. */
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
  // Most tests wait for servers more than they work; by default Jest leaves one of two processors idle.
  maxWorkers: '100%',
};
