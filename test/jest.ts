/** Arguments of Node that start Jest, before its own. Tests are ES modules, which Node calls experimental in Jest. */
export const JEST = [
  '--disable-warning=ExperimentalWarning',
  '--experimental-vm-modules',
  'node_modules/jest/bin/jest.js',
] as const;
