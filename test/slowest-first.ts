import { createRequire } from 'node:module';

/** The package's types describe only the result of `require`. */
const { default: Sequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');
type Tests = Awaited<ReturnType<InstanceType<typeof Sequencer>['sort']>>;

/** Folders and files whose tests take the longest, longest first. Jest would begin with the largest files. */
const SLOWEST = [
  'simulation/crawl.simulation',
  'e2e/kill',
  'crawl/gone-pages',
  'crawl/slice-restart',
  'crawl/fetch/refused-site',
  'crawl/rendering',
  'local/request-body',
  'chromium/',
  'chat-model/openai',
  'e2e/',
  'chat-with-model',
  'lib/',
  'html/standard',
  'simulation/',
];

const rank = (path: string): number => {
  const found = SLOWEST.findIndex((part) => path.includes(part));
  return found < 0 ? SLOWEST.length : found;
};

/** Starts the slowest files first, so that no processor waits at the end for a single one. */
// biome-ignore lint/style/noDefaultExport: Jest takes it
export default class SlowestFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    return (await super.sort(tests)).toSorted((a, b) => rank(a.path) - rank(b.path));
  }
}
