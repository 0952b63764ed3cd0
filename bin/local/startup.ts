import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { checkFile } from '../../lambdas/adapters/local/engine/check-file.ts';
import { closeEngine, openEngine } from '../../lambdas/adapters/local/engine.ts';
import { eventBuffer } from '../../lambdas/adapters/local/event-buffer.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { lockData } from './data-lock.ts';
import { createDemoSite } from './demo.ts';
import { type DemoSite, listen } from './http-server.ts';
import { IngestWorker } from './ingest-worker.ts';
import { localKey } from './local-key.ts';
import type { LocalOptions } from './options.ts';
import { prepareSearchIndex } from './search-index.ts';
import { warmUp } from './warm-up.ts';
import { startWorkers } from './workers.ts';

type ReadyFile = {
  readonly baseUrl: string;
  readonly publicUrl: string;
  readonly dashboardUrl: string;
  readonly orgId: string;
  readonly apiKey: string;
  readonly demoSiteId?: string;
};

/** Starts the service on a data folder. Returns a function that stops it. */
export async function startService({ port, dataDir, demo }: LocalOptions): Promise<() => Promise<void>> {
  await createFolder(dataDir);
  const readyFile = join(dataDir, 'ready.json');
  const lock = lockData(dataDir);
  await rm(readyFile, { force: true }); // left by a crash
  checkFile(dataDir, (error) => log('error', 'the data file is damaged', { error }));
  const engine = await openEngine(dataDir);
  engine.warmUp(); // the first searches are fast
  eventBuffer.onLoss((count) => log('warn', 'events were dropped: the event log did not keep up', { count }));
  await prepareSearchIndex();
  let demoSite: DemoSite | undefined;
  const ingestWorker = new IngestWorker(engine);
  const server = await listen(port, { demoSite: () => demoSite, ingestWorker });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { apiKey, caller } = await localKey(dataDir);
  const workers = await startWorkers(engine);
  if (demo) demoSite = await createDemoSite(caller, host);
  const content = readyContent(host, apiKey, caller.orgId, demoSite);
  if (demoSite) await warmUp(demoSite.siteId);
  await writeAtomically(readyFile, `${JSON.stringify(content, null, 2)}\n`);
  printAddresses(content);
  return async () => {
    await rm(readyFile, { force: true });
    server.close();
    server.closeAllConnections();
    await Promise.all([workers.stop(), ingestWorker.stop(), eventBuffer.flush()]);
    await closeEngine();
    lock.release();
  };
}

async function createFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const advice = 'check the permissions of its parent, or name another with --data';
    throw new Error(`The data folder ${dataDir} cannot be created: ${advice}`, { cause });
  }
}

const readyContent = (host: string, apiKey: string, orgId: string, demoSite: DemoSite | undefined): ReadyFile => ({
  baseUrl: `http://${host}/api`,
  publicUrl: `http://${host}/v1`,
  dashboardUrl: `http://${host}/`,
  orgId,
  apiKey,
  ...(demoSite && { demoSiteId: demoSite.siteId }),
});

async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text, { mode: 0o600 });
  await rename(`${file}.part`, file);
}

function printAddresses({ baseUrl, publicUrl, dashboardUrl, apiKey, demoSiteId }: ReadyFile): void {
  const curl =
    demoSiteId === undefined
      ? `curl -H 'Authorization: Bearer ${apiKey}' ${baseUrl}/sites`
      : `curl '${publicUrl}/public/sites/${demoSiteId}/search?q=how+does+a+crawl+survive+a+crash'`;
  console.log(`
  Site search is ready.

    Search page    ${dashboardUrl}#key=${apiKey}
    API            ${baseUrl}   (key: ${apiKey})
    API reference  ${dashboardUrl}docs

    Try it:  ${curl}

  Stop with Ctrl+C.
`);
}
