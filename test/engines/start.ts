/*
 * Starts engines and prints the URL of each in a line, in the order of the arguments:
 *
 *     node test/engines/start.ts opensearch elasticmq s3mock dynoxide
 *
 * They run until this process ends, for example by Ctrl-C. The first call fetches them with Maven into a cache.
 * Then, for example: OPENSEARCH_URL=<its URL> npm test -- test/aws/page-index.test.ts
 */
import { MissingError } from './engine-folder.ts';
import { type EngineName, engines } from './engines.ts';

const isEngine = (name: string): name is EngineName => Object.hasOwn(engines, name);

const names = process.argv.slice(2);
const unknown = names.filter((name) => !isEngine(name));
if (names.length === 0 || unknown.length > 0) {
  console.error(`Usage: node test/engines/start.ts NAME..., with the names ${Object.keys(engines).join(', ')}`);
  process.exit(1);
}
const running = await Promise.all(names.filter(isEngine).map((name) => engines[name].start())).catch((error) => {
  console.error(error instanceof MissingError ? error.message : error);
  process.exit(1);
});
for (const { url } of running) console.log(url);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await Promise.all(running.map(({ stop }) => stop()));
    process.exit(0);
  });
}
const { message } = await Promise.race(running.map(({ died }) => died));
console.error(message);
process.exit(1);
