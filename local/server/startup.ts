import { rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { env } from '../../lambdas/env.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { clock } from '../../lambdas/runtime/system.ts';
import { buildWeb } from '../../web/build.ts';
import { checkFile } from '../sqlite/check-file.ts';
import { lockData } from '../sqlite/data-lock.ts';
import { eventBuffer } from '../sqlite/event-buffer.ts';
import { forgetSignInToken, newSignInToken } from '../sqlite/sign-in-token.ts';
import { closeStore, openStore } from '../threads/open-store.ts';
import { workersOf } from '../threads/workers.ts';
import { isLoopback, ownHosts } from './allowed-hosts.ts';
import { crawlAddress } from './crawl-address.ts';
import { CrawlWatch } from './crawl-watch.ts';
import { createDemoSite } from './demo.ts';
import { demoPages } from './demo-pages.ts';
import { healthOf } from './health.ts';
import { type DemoSite, listen } from './http-server.ts';
import { ingestion } from './ingestion.ts';
import { localKey } from './local-key.ts';
import type { LocalOptions } from './options.ts';
import { prepareSearchIndex } from './search-index.ts';
import { signInBy } from './sign-in.ts';
import { webFilesOf } from './static-pages.ts';
import { warmUp } from './warm-up.ts';

type ReadyFile = {
  readonly baseUrl: string;
  readonly publicUrl: string;
  readonly dashboardUrl: string;
  /** The URL of the service on this machine, if PUBLIC_URL names another address. */
  readonly localUrl?: string;
  /** The link that signs in to the dashboard, once and within an hour. Absent if other machines reach this server. */
  readonly signInUrl?: string;
  readonly orgId: string;
  readonly apiKey: string;
  readonly demoSiteId?: string;
};

/** Starts the service on an existing data folder. Returns a function that stops it. */
export async function startService({ dataDir, demo, address, ...given }: LocalOptions): Promise<() => Promise<void>> {
  const readyFile = join(dataDir, 'ready.json');
  const lock = lockData(dataDir);
  await rm(readyFile, { force: true }); // left by a crash
  const fileToCheck = checkFile(dataDir);
  const webFiles = await webFilesOf(await buildWeb());
  const store = await openStore(dataDir);
  const largest = store.warmUp(); // makes the first searches fast
  eventBuffer.onLoss((count) => log('warn', 'events were dropped: the event log did not keep up', { count }));
  await prepareSearchIndex();
  let demoSite: DemoSite | undefined;
  const crawls = new CrawlWatch();
  const workers = workersOf(store, { onCrawl: (jobId) => crawls.add(jobId), fileToCheck });
  const { host = env.HOST, port = env.PORT } = given;
  const health = healthOf(dataDir);
  let isStarted = false;
  let operator: string | undefined;
  let key: string | undefined;
  const isPrivate = env.PUBLIC_URL === undefined && isLoopback(host);
  const server = await listen(
    { host, port },
    {
      webFiles,
      demoSite: () => demoSite,
      demoPage: demo ? demoPages() : undefined,
      ingest: ingestion(workers.run),
      signIn: isPrivate ? signInBy(dataDir, () => key) : undefined,
      isOwnHost: ownHosts(host, env.PUBLIC_URL),
      health: (authorization) => health({ isStarted, authorization, operator }),
    },
  );
  const local = localHost(server.address() as AddressInfo);
  const { apiKey, caller } = await localKey(dataDir);
  operator = caller.orgId;
  key = apiKey;
  await workers.start();
  if (demo) demoSite = await createDemoSite(caller, local);
  const screen = address === undefined ? '/app' : await crawlAddress(address, caller);
  const content = {
    ...readyContent(local, apiKey, caller.orgId, demoSite),
    ...(isPrivate && { signInUrl: `http://${local}${screen}#token=${await newSignInToken(dataDir, clock)}` }),
  };
  const searched = largest ?? demoSite?.siteId;
  if (searched !== undefined) await warmUp(searched);
  await writeAtomically(readyFile, `${JSON.stringify(content, null, 2)}\n`);
  isStarted = true;
  console.log(startText(content, { isTerminal: process.stdout.isTTY === true, readyFile, screen }));
  return async () => {
    await Promise.all([rm(readyFile, { force: true }), forgetSignInToken(dataDir)]);
    server.close();
    server.closeAllConnections();
    crawls.stop();
    await Promise.all([workers.stop(), eventBuffer.flush()]);
    await closeStore();
    lock.release();
  };
}

/** Returns the host by which this machine reaches the server. */
function localHost({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `127.0.0.1:${port}`;
  return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}

function readyContent(local: string, apiKey: string, orgId: string, demoSite: DemoSite | undefined): ReadyFile {
  const root = env.PUBLIC_URL === undefined ? `http://${local}` : new URL(env.PUBLIC_URL).origin;
  return {
    baseUrl: `${root}/api`,
    publicUrl: `${root}/v1`,
    dashboardUrl: `${root}/`,
    ...(env.PUBLIC_URL !== undefined && { localUrl: `http://${local}/` }),
    orgId,
    apiKey,
    ...(demoSite && { demoSiteId: demoSite.siteId }),
  };
}

async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text, { mode: 0o600 });
  await rename(`${file}.part`, file);
}

type Printing = {
  readonly isTerminal: boolean;
  readonly readyFile: string;
  /** The path of the screen of the dashboard that is opened first. */
  readonly screen: string;
};

/**
 * Returns the text printed at the start. Only a terminal shows what signs in, because other output may be stored in a
 * log.
 */
export function startText(
  { baseUrl, publicUrl, dashboardUrl, signInUrl, apiKey, demoSiteId }: ReadyFile,
  { isTerminal, readyFile, screen }: Printing,
): string {
  const search = `curl '${publicUrl}/public/sites/${demoSiteId}/search?q=how+does+a+crawl+survive+a+crash'`;
  const list = `curl -H 'Authorization: Bearer ${isTerminal ? apiKey : '$KEY'}' ${baseUrl}/sites`;
  const dashboard = new URL(screen, dashboardUrl).href;
  return `
  Site search is ready.

    Dashboard      ${isTerminal ? (signInUrl ?? dashboard) : dashboard}
${signInUrl === undefined ? '' : `                   ${linkNote(isTerminal, readyFile)}\n`}
    Search page    ${dashboardUrl}
    API            ${baseUrl}
    API reference  ${dashboardUrl}docs
    Key            ${isTerminal ? apiKey : `The key is in ${readyFile}`}

    Try it:  ${demoSiteId === undefined ? list : search}

  Stop with Ctrl+C.
`;
}

const linkNote = (isTerminal: boolean, readyFile: string): string =>
  isTerminal
    ? 'It signs in once, within an hour. For another link: npm run --silent admin -- link'
    : `The link that signs in is in ${readyFile}`;
