import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { table } from '#adapters/table';
import { everyItem } from '../../lambdas/domain/every-item.ts';
import { readSite } from '../../lambdas/domain/sites/site.ts';
import { EVERY_SITE } from '../../lambdas/domain/sites/site-directory.ts';
import { callerOf } from '../../lambdas/runtime/authorization.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { clock } from '../../lambdas/runtime/system.ts';
import { dataBytes } from '../sqlite/database.ts';
import { store } from '../threads/store.ts';

export type Health = {
  /** Whether the service is ready. False while it starts, and if its data cannot be used. */
  readonly ready: boolean;
  readonly version: string;
  /** The number of indexed pages of all sites. */
  readonly pages: number;
  /** The number of messages that wait or are being worked on. */
  readonly queue: number;
  readonly disk: { readonly usedBytes: number; readonly freeBytes: number };
};

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Health;

/** The part that everybody may see. */
type Readiness = Pick<Health, 'ready'>;

type Asked = {
  readonly isStarted: boolean;
  /** The `Authorization` header of the request. */
  readonly authorization: string | undefined;
  /** The operator's organisation. The numbers concern all organisations, so only the operator's keys show them. */
  readonly operator: string | undefined;
};

/** The time for which the numbers are cached, because anyone may ask for them. */
const KEPT_MS = 2000;

export function healthOf(dataDir: string): (asked: Asked) => Promise<Health | Readiness> {
  let last: Promise<Omit<Health, 'version'>> | undefined;
  let until = 0;
  return async ({ isStarted, authorization, operator }) => {
    if (!last || clock() >= until) {
      last = numbersOf(dataDir);
      until = clock() + KEPT_MS;
    }
    const { ready, ...numbers } = await last;
    const readiness = { ready: isStarted && ready };
    const isOperator = operator !== undefined && operator === (await organisationOf(authorization));
    return isOperator ? { ...readiness, version, ...numbers } : readiness;
  };
}

/** Returns the organisation of a key. Undefined without a valid key, and while keys cannot be read. */
async function organisationOf(authorization: string | undefined): Promise<string | undefined> {
  const caller = await callerOf({ headers: { authorization } }, { table, clock }).catch(() => undefined);
  return caller?.orgId;
}

async function numbersOf(dataDir: string): Promise<Omit<Health, 'version'>> {
  try {
    const [pages, queue, { bavail, bsize }] = await Promise.all([
      allPages(),
      store().read.queue.size(),
      statfs(dataDir),
    ]);
    return { ready: true, pages, queue, disk: { usedBytes: dataBytes(dataDir), freeBytes: bavail * bsize } };
  } catch (error) {
    log('error', 'the state of the service cannot be read', { error });
    return { ready: false, pages: 0, queue: 0, disk: { usedBytes: 0, freeBytes: 0 } };
  }
}

async function allPages(): Promise<number> {
  let pages = 0;
  for await (const { sk } of everyItem(table, EVERY_SITE.pk, EVERY_SITE.prefix)) {
    pages += (await readSite(sk.slice(EVERY_SITE.prefix.length), table))?.state.pageCount ?? 0;
  }
  return pages;
}
