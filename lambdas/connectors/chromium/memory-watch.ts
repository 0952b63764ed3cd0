import { readFile } from 'node:fs/promises';
import type { Browser, CDPSession } from 'puppeteer-core';

const INTERVAL_MS = 150;
/** Matches the memory that a process does not share with others. */
const OWN_KILOBYTES = /^(?:RssAnon|RssShmem):\s+(\d+)/gm;

/** Kills each page process that takes more than `megabytes` of memory. Its page then ends as crashed. Needs /proc. */
export function watchMemory(browser: Browser, megabytes: number): () => void {
  let session: CDPSession | undefined;
  let isLooking = false;
  const look = async () => {
    session ??= await browser.target().createCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    for (const { type, id } of processInfo)
      if (type === 'renderer' && (await ownMegabytes(id)) > megabytes) process.kill(id, 'SIGKILL');
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => undefined) // the process, or the browser, has just ended
      .finally(() => {
        isLooking = false;
      });
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

async function ownMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  let kilobytes = 0;
  for (const [, value] of status.matchAll(OWN_KILOBYTES)) kilobytes += Number(value);
  return kilobytes / 1024;
}
