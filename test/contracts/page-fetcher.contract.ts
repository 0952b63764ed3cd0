import { afterEach, describe } from '@jest/globals';
import type { PageFetcher } from '../../lambdas/domain/ports/page-fetcher.ts';
import { CountingServers } from '../support/counting-server.ts';
import { answers, packedBodies, requests } from './page-fetcher/answers.ts';
import { failures, privateAddresses } from './page-fetcher/failures.ts';
import { deadline, sizeLimit, streams } from './page-fetcher/limits.ts';
import { LOOPBACK, type Make, type Setup } from './page-fetcher/setup.ts';

/** The promises of `PageFetcher`. Every fetcher is closed after its test. */
export function pageFetcherContract(name: string, makeFetcher: Make): void {
  describe(`PageFetcher: ${name}`, () => {
    const servers = new CountingServers();
    const opened: PageFetcher[] = [];
    afterEach(async () => {
      for (const fetcher of opened.splice(0)) await fetcher.close();
      servers.close();
    });
    const make: Make = (options) => {
      const fetcher = makeFetcher(options);
      opened.push(fetcher);
      return fetcher;
    };
    const get: Setup['get'] = (url, more = {}, from = make({ allowHosts: LOOPBACK })) =>
      from.fetch({ url, maxBytes: 100_000, timeoutMs: 3000, ...more });
    const setup: Setup = { servers, make, get };
    requests(setup);
    answers(setup);
    packedBodies(setup);
    sizeLimit(setup);
    streams(setup);
    deadline(setup);
    failures(setup);
    privateAddresses(setup);
  });
}
