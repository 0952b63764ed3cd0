import { getPriority } from 'node:os';
import { expect, it } from '@jest/globals';
import { outputOf, startProcess } from '../support/child-process.ts';

const isLinux = process.platform === 'linux';

(isLinux ? it : it.skip)("V8's own threads leave the processor to the main thread (Linux alone)", async () => {
  const { main, others } = JSON.parse(await outputOf(startProcess('support/priorities.ts')));
  expect(main).toBe(getPriority());
  expect(new Set(others)).toEqual(new Set([Math.max(getPriority(), 10)]));
});
