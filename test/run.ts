import { spawnSync } from 'node:child_process';
import { JEST } from './jest.ts';

/* npm test and npm run test:services: runs a project of jest.config.js, or those of its tests that the arguments name. */

const [project = '', ...args] = process.argv.slice(2);
const jest = [...JEST, ...args, '--selectProjects', project];
process.exitCode = spawnSync(process.execPath, jest, { stdio: 'inherit' }).status ?? 1;
