import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';

/** Long, because the machine may be busy. */
const MAX_START_MS = 60_000;

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

describe('an engine', () => {
  let starter: ChildProcess | undefined;
  afterEach(() => void starter?.kill());

  async function started(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
    const child = startProcess('engines/start.ts', 'elasticmq');
    starter = child;
    if (child.stdout === null) throw new Error('The process has no standard output');
    const [url] = await once(createInterface(child.stdout), 'line');
    expect(await answers(url)).toBe(true);
    return { child, url };
  }

  it(
    'ends before the process that started it',
    async () => {
      const { child, url } = await started();
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(await answers(url)).toBe(false);
    },
    MAX_START_MS,
  );

  it(
    'ends when the process that started it is killed',
    async () => {
      const { child, url } = await started();
      child.kill('SIGKILL');
      await eventually(async () => !(await answers(url)));
    },
    MAX_START_MS,
  );
});

describe('the start of an engine without Java', () => {
  it('fails and says what is missing', () => {
    const path = fileURLToPath(new URL('start.ts', import.meta.url));
    const env = { ...process.env, ENGINES_JAVA_HOME: '/nowhere' };
    const { status, stderr } = spawnSync(process.execPath, [path, 'elasticmq'], { env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('A JDK of version 21 or later is missing');
  });
});
