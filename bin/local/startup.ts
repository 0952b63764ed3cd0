import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { closeEngine, openEngine } from '../../lambdas/adapters/local/engine.ts';
import { lockData } from './data-lock.ts';
import { demoSite } from './demo.ts';
import { type Facts, listen } from './http-server.ts';
import { BusyThread } from './ingest-worker.ts';
import { localKey } from './local-key.ts';
import type { LocalOptions } from './options.ts';
import { prepareSearchIndex } from './search-index.ts';
import { startWorkers } from './workers.ts';

/** Serves everything from one folder until it is told to stop; answers how to stop it. */
export async function serve({ port, dataDir, demo }: LocalOptions): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new Error(`The data folder ${dataDir} cannot be made: name another with --data`, { cause });
  });
  const ready = join(dataDir, 'ready.json');
  const lock = lockData(dataDir);
  await rm(ready, { force: true }); // a crash may have left it
  const engine = await openEngine(dataDir);
  await prepareSearchIndex();
  let facts: Facts = {};
  const busy = new BusyThread(engine);
  const server = await listen(port, () => facts, busy);
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { apiKey, caller } = await localKey(dataDir);
  const workers = await startWorkers(engine);
  const demoSiteId = demo ? await demoSite(caller, host) : undefined;
  if (demoSiteId !== undefined) facts = { demoSite: { siteId: demoSiteId, name: 'Site search docs (demo)' } };
  const addresses = { baseUrl: `http://${host}/api`, publicUrl: `http://${host}/v1`, dashboardUrl: `http://${host}/` };
  const told = { ...addresses, orgId: caller.orgId, apiKey, ...(demoSiteId !== undefined && { demoSiteId }) };
  if (demoSiteId !== undefined) await fetch(`${addresses.publicUrl}/public/sites/${demoSiteId}/search?q=warm+up`); // loads what a search needs
  await writeFile(`${ready}.part`, `${JSON.stringify(told, null, 2)}\n`, { mode: 0o600 });
  await rename(`${ready}.part`, ready); // whoever waits for it reads it whole
  tell(told);
  return async () => {
    await rm(ready, { force: true });
    server.close();
    server.closeAllConnections();
    await Promise.all([workers.stop(), busy.stop()]);
    await closeEngine();
    lock.release();
  };
}

function tell({ baseUrl, publicUrl, dashboardUrl, apiKey, demoSiteId }: Record<string, string>): void {
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
