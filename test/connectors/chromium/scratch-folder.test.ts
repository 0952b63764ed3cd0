import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { scratchFolder, sweepScratch } from '../../../lambdas/connectors/chromium/scratch-folder.ts';
import { hasBrowser } from '../../support/has-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const { pid: ENDED } = spawnSync('true');

(hasBrowser ? describe : describe.skip)('the folder of a browser', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const LEFT = [
    `site-search-browser-${ENDED}-x`,
    'core.chromium.123',
    '.org.chromium.Chromium.a',
    'puppeteer_dev_profile',
  ];
  const OTHERS = ['corelib', 'site-search-chromium-153-0', 'site-search-other'];
  const remaining = () => [...LEFT, ...OTHERS].filter((name) => existsSync(join(folder.path, name)));

  it.each([
    ['of a service that has ended, on a computer with other users', false, [...LEFT.slice(1), ...OTHERS]],
    ['and all that browsers leave, in a function', true, OTHERS],
  ])('is removed with one %s', async (_, isFunction, left) => {
    for (const name of [...LEFT, ...OTHERS]) mkdirSync(join(folder.path, name));
    await sweepScratch({ isFunction }, folder.path);
    expect(remaining()).toEqual(left);
  });

  it('a scratch folder stays while its service runs', async () => {
    const own = await scratchFolder(folder.path);
    await sweepScratch({ isFunction: false }, folder.path);
    expect(existsSync(own)).toBe(true);
  });

  it('a scratch folder is refused with the reason if the disk is full', async () => {
    await expect(scratchFolder('/proc')).rejects.toThrow('/proc has 0 MB free, and a browser needs 250 MB');
  });
});
