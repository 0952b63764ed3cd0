import { Pool } from 'undici';

/*
 * Requests known paths over a number of connections and discards the answers, which no crawler can do faster. Prints
 * pages, seconds and memory as JSON.
 */

const [start = '', connections, paths = ''] = process.argv.slice(2);
const pool = new Pool(new URL(start).origin, { connections: Number(connections) });
const waiting = paths.split(' ').values();
let pages = 0;
const ask = async (): Promise<void> => {
  for (const path of waiting) {
    const { body } = await pool.request({ path, method: 'GET' });
    await body.dump();
    pages++;
  }
};
const started = performance.now();
const before = process.cpuUsage();
await Promise.all(Array.from({ length: Number(connections) }, ask));
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    pages,
    seconds: (performance.now() - started) / 1000,
    processorSeconds: (user + system) / 1e6,
    peakMB: (process.resourceUsage().maxRSS * 1024) / 1e6,
  }),
);
