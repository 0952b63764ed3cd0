import { describe, expect, it } from '@jest/globals';
import type { Port } from '../../../lambdas/permissions.ts';
import { type Entry, entries, permissionsOf } from '../../../lib/entries.ts';
import { resourceAt, resourcesOf } from '../readable-template.ts';
import { API_KEY_SECRET } from '../synthesis.ts';
import { production, trial } from './templates.ts';

const functions = resourcesOf(production, 'AWS::Lambda::Function');
const variablesOf = (name: string): Readonly<Record<string, string>> =>
  resourceAt(production, name).Properties.Environment.Variables;

/** The construct of an entry: `Api/get-site` runs `api/get-site`. */
function nameOf(entry: Entry): string {
  const found = functions.find(([, { Properties }]) => Properties.Handler === `lambdas/${entry}.handler`);
  if (!found) throw new Error(`no function runs ${entry}`);
  return found[0];
}

/** They fetch pages of websites, and say who is to be contacted about it. */
const FETCHING: readonly Entry[] = ['workers/crawl-slice', 'workers/render-slice', 'api/test-url'];
const RENDERS = 'Workers/render-slice';

describe('a function', () => {
  it('runs Node 24 and is traced; on arm64, unless it has a browser', () => {
    for (const [name, { Properties }] of functions) {
      expect([name, Properties.Architectures]).toEqual([name, [name === RENDERS ? 'x86_64' : 'arm64']]);
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', TracingConfig: { Mode: 'Active' } });
    }
  });

  it('that shows pages has 2 GB of memory, and room in /tmp for the unpacked browser and its profile', () => {
    const { MemorySize, EphemeralStorage } = resourceAt(trial, RENDERS).Properties;
    expect([MemorySize, EphemeralStorage]).toEqual([2048, { Size: 1024 }]);
    const [browserMegabytes, freeMegabytes] = [210, 250]; // the second is what the browser's adapter asks for
    expect(EphemeralStorage.Size).toBeGreaterThan(2 * (browserMegabytes + freeMegabytes));
  });

  it('exists for every entry, and shares one asset with the others, unless it has a browser or publishes files', () => {
    expect(functions.map(([name]) => name).toSorted()).toEqual(entries.map(nameOf).toSorted());
    const byAsset = Map.groupBy(functions, ([, { Properties }]) => Properties.Code.S3Key);
    const names = [...byAsset.values()].map((group) => group.map(([name]) => name));
    expect(names).toHaveLength(3);
    expect(names).toContainEqual([RENDERS]);
    expect(names).toContainEqual(['WebFiles/publish']);
  });

  it('is outside any VPC', () => {
    for (const [, { Properties }] of functions) expect(Properties).not.toHaveProperty('VpcConfig');
  });

  it.each(functions)('%s writes to a log group of its own', (name, { Properties }) => {
    expect(Properties.LoggingConfig.LogGroup).toBe(`${name}-log`);
  });

  it('has a whole vCPU if it crawls', () => {
    expect(resourceAt(trial, 'Workers/crawl-slice').Properties.MemorySize).toBe(1769);
    expect(resourceAt(trial, 'Workers/clean-up-site').Properties.MemorySize).toBe(1024);
  });

  it('may cause more than 16 messages in a chain if it feeds itself, directly or by its dead letters', () => {
    const allowed = functions.filter(([, { Properties }]) => Properties.RecursiveLoop === 'Allow');
    expect(allowed.map(([name]) => name).toSorted()).toEqual(
      [
        'clean-up-site',
        'crawl-dead',
        'crawl-slice',
        'deliver-webhooks',
        'embed-pages',
        'enrich-pages',
        'move-index',
        'refill-pages',
        'render-slice',
      ].map((name) => `Workers/${name}`),
    );
  });

  it('times out before its caller stops waiting', () => {
    const GATEWAY_SECONDS = 29 - 1;
    for (const [name, { Properties }] of functions.filter(([name]) => name.startsWith('Api/')))
      expect(`${name} ${Properties.Timeout}`).toBe(`${name} ${GATEWAY_SECONDS}`);
    expect(resourceAt(trial, 'Workers/watchdog').Properties.Timeout).toBeLessThan(60);
    const { ServiceTimeout } = resourceAt(trial, 'SearchIndex/Index').Properties;
    expect(resourceAt(trial, 'SearchIndex/create-index').Properties.Timeout).toBeLessThan(Number(ServiceTimeout));
  });
});

describe('logs', () => {
  it.each([
    ['a trial', 7, trial],
    ['production', 90, production],
  ])('of %s are kept for %d days', (_, days, template) => {
    const groups = resourcesOf(template, 'AWS::Logs::LogGroup');
    expect(groups).toHaveLength(functions.length + 1);
    for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBe(days);
  });
});

describe('the environment', () => {
  const EMBEDDING = ['EMBEDDING_DIMENSIONS', 'EMBEDDING_MODEL', 'OPENAI_API_KEY_SECRET', 'OPENAI_BASE_URL'];
  const VARIABLES: Readonly<Record<Port, readonly string[]>> = {
    'table-reader': ['TABLE_NAME'],
    table: ['TABLE_NAME'],
    timetable: ['SCHEDULE_GROUP', 'SCHEDULE_ROLE_ARN', 'STARTS_QUEUE_ARN'],
    'page-store-reader': ['PAGES_BUCKET'],
    'page-store': ['PAGES_BUCKET'],
    'index-reader': ['OPENSEARCH_URL'],
    'page-index': ['OPENSEARCH_URL'],
    'index-moves': ['OPENSEARCH_URL'],
    'index-admin': ['OPENSEARCH_URL'],
    'event-reader': ['OPENSEARCH_URL'],
    'event-log': ['OPENSEARCH_URL'],
    'event-sink': [],
    'edge-logs': ['EDGE_LOGS_BUCKET'],
    'web-files': [],
    embedder: EMBEDDING,
    'chat-model': ['CHAT_MODEL'],
    'page-renderer': [],
  };

  it.each(entries)('of %s has the variables of the ports and queues that it declares, and no others', (entry) => {
    const own = FETCHING.includes(entry) ? ['CRAWL_CONTACT', 'LOG_LEVEL'] : ['LOG_LEVEL'];
    const { uses, sends } = permissionsOf(entry);
    const queues = sends.length > 0 ? ['QUEUE_URL_PREFIX'] : [];
    const expected = new Set([...own, ...queues, ...uses.flatMap((port) => VARIABLES[port])]);
    expect(Object.keys(variablesOf(nameOf(entry))).toSorted()).toEqual([...expected].toSorted());
  });

  it('names the resources of the stack and the values of the settings', () => {
    expect(variablesOf('Workers/crawl-slice')).toEqual({
      LOG_LEVEL: 'info',
      TABLE_NAME: 'Storage/Table',
      QUEUE_URL_PREFIX: 'https://sqs.<Region>.<URLSuffix>/<AccountId>/site-search-test-',
      PAGES_BUCKET: 'Storage/Pages',
      OPENSEARCH_URL: 'https://SearchIndex/Domain.DomainEndpoint',
      EMBEDDING_MODEL: 'text-embedding-3-small',
      EMBEDDING_DIMENSIONS: '512',
      OPENAI_API_KEY_SECRET: API_KEY_SECRET,
      OPENAI_BASE_URL: 'https://provider.example.com/v1',
      CHAT_MODEL: 'gpt-4.1-mini',
      CRAWL_CONTACT: 'crawling@example.com',
    });
  });

  it('has no setting that was not given', () => {
    const { Variables } = resourceAt(trial, 'Workers/crawl-slice').Properties.Environment;
    for (const name of [...EMBEDDING, 'CRAWL_CONTACT']) expect(Variables).not.toHaveProperty(name);
  });

  it('has no secret', () => {
    for (const [functionName] of functions) {
      for (const [name, value] of Object.entries(variablesOf(functionName))) {
        expect(name).not.toMatch(/KEY$|TOKEN|PASSWORD/);
        expect(value).not.toContain('resolve:');
      }
    }
  });
});
