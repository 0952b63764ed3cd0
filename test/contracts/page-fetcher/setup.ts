import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { FetchRequest, FetchResult, PageFetcher } from '../../../lambdas/domain/ports/page-fetcher.ts';
import type { CountingServer, CountingServers } from '../../support/counting-server.ts';

export type FetcherOptions = {
  readonly allowHosts: readonly string[];
  /** The addresses of every name. @default what the machine's resolver answers */
  readonly addresses?: readonly string[];
};

export type Make = (options: FetcherOptions) => PageFetcher;
export type Setup = {
  readonly servers: CountingServers;
  readonly make: Make;
  readonly get: (url: string, more?: Partial<FetchRequest>, from?: PageFetcher) => Promise<FetchResult>;
};

export const LOOPBACK = ['127.0.0.1', '::1'];
export const TEXT = 'text '.repeat(1000);

export const textOf = (result: FetchResult) =>
  result.kind === 'response' ? Buffer.from(result.body).toString('latin1') : result.reason;

export async function allClosed(server: CountingServer): Promise<void> {
  for (let tries = 0; tries < 200 && server.open > 0; tries += 1) await sleep(10);
  expect(server.open).toBe(0);
}
