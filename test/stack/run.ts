/*
 * npm run test:stack: runs the stack that `npm run synth` has written to a folder, cdk.out by default. The template is
 * played on the engines of test/engines; every function runs from its built asset in a process of its own.
 */
import { existsSync } from 'node:fs';
import { runOnEngines } from '../engines/run-on-engines.ts';

const FOLDERS = ['cdk.out', 'cdk.out/trial'];

const folder = process.argv[2] ?? FOLDERS.find((each) => existsSync(`${each}/manifest.json`));
if (folder === undefined) {
  console.error('There is no stack in cdk.out. Run: npm run synth');
  process.exit(1);
}
process.env.STACK_FOLDER = folder;
await runOnEngines(['test/stack/stack.test.ts']);
