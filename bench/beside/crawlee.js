import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';

/*
 * Crawls a site with a number of concurrent requests, follows its links and reads titles. Writes nothing to disk.
 * Prints pages, seconds and memory as JSON.
 */

const [start, connections, pages] = process.argv.slice(2);
log.setLevel(log.LEVELS.ERROR);
const titles = new Set();
const crawler = new CheerioCrawler(
  {
    minConcurrency: Number(connections),
    maxConcurrency: Number(connections),
    // If the limit equals the number of pages, Crawlee waits half a minute for more.
    maxRequestsPerCrawl: 3 * Number(pages),
    requestHandler: async ({ $, request, enqueueLinks }) => {
      titles.add(`${request.url} ${$('title').text()}`);
      await enqueueLinks();
    },
  },
  new Configuration({ persistStorage: false }),
);
const started = performance.now();
const before = process.cpuUsage();
await crawler.run([start]);
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    pages: titles.size,
    seconds: (performance.now() - started) / 1000,
    processorSeconds: (user + system) / 1e6,
    peakMB: (process.resourceUsage().maxRSS * 1024) / 1e6,
  }),
);
