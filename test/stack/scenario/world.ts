import { engineUrl } from '../../engines/engine-url.ts';
import { run } from '../../support/admin-command.ts';
import type { Answer, Json } from '../../support/answer.ts';
import { type ApiClient, apiClient, type Transport } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { RunningStack } from '../running-stack.ts';

/** For everything that waits for a worker. */
export const PATIENCE_MS = 60_000;
/** Longer than each pause of a move between indices, and of a clean-up. */
export const PAUSE_SECONDS = 160;
/** Workers that wait for a time. */
const SLEEPERS = ['lambdas/workers/move-index.handler'];
export const ORIGIN = 'https://www.example';

/** The stack as its users see it: an owner with a key, visitors of a website, and an operator. */
export class World {
  readonly stack: RunningStack;
  readonly orgId: string;
  readonly owner: ApiClient;
  readonly visitor: ApiClient;
  readonly #folder: TemporaryFolder;
  readonly #servers: { close(): unknown }[] = [];
  #moving: Promise<void> | undefined;

  /** Deploys the stack and makes an organisation in it. */
  static async make(folder: string, secrets: Readonly<Record<string, string>>): Promise<World> {
    const temporary = temporaryFolder();
    const stack = await RunningStack.deploy(folder, {
      engines: {
        opensearch: engineUrl('opensearch'),
        elasticmq: engineUrl('elasticmq'),
        s3mock: engineUrl('s3mock'),
        dynoxide: engineUrl('dynoxide'),
      },
      folder: temporary.path,
      // The websites that tests crawl are on loopback.
      extraVariables: { CRAWL_ALLOW_HOSTS: '127.0.0.1', WEBHOOK_ALLOW_HOSTS: '127.0.0.1' },
      secrets,
    });
    const made = await operate(stack, 'organisation', 'create', '--name', 'Test', '--plan', 'enterprise');
    return new World(stack, temporary, made as { orgId: string; apiKey: string });
  }

  private constructor(stack: RunningStack, folder: TemporaryFolder, made: { orgId: string; apiKey: string }) {
    this.stack = stack;
    this.#folder = folder;
    this.orgId = made.orgId;
    this.owner = apiClient(transportTo(stack.edgeUrl), made.apiKey);
    this.visitor = apiClient(transportTo(stack.edgeUrl, { Origin: ORIGIN }));
  }

  /** `npm run admin -- --stack NAME …`, which speaks with the engines themselves. */
  operate(...args: readonly string[]): Promise<object> {
    return operate(this.stack, ...args);
  }

  async api(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.owner(method, `/api${path}`, { body });
    return expectSuccess(answer, `${method} ${path}`).body;
  }

  async public(method: string, path: string, body?: unknown): Promise<Answer> {
    return expectSuccess(await this.visitor(method, `/v1/public${path}`, { body }), `${method} ${path}`);
  }

  async createSite(baseUrl: string, settings: object = {}): Promise<string> {
    const publicAccess = { enabled: true, searchEnabled: true, chatEnabled: true, allowedDomains: ['www.example'] };
    const { siteId } = await this.api('POST', '/sites', { name: 'Test', baseUrl, publicAccess, ...settings });
    return String(siteId);
  }

  async crawl(siteId: string, body: object = {}): Promise<Json> {
    const { jobId } = await this.api('POST', `/sites/${siteId}/crawl`, body);
    return this.ended(String(jobId));
  }

  ended(jobId: string): Promise<Json> {
    return eventually(async () => {
      const job = await this.api('GET', `/jobs/${jobId}`);
      return ['completed', 'failed', 'cancelled'].includes(String(job.status)) && job;
    }, PATIENCE_MS);
  }

  /** Returns how often a worker has run. */
  runsOf(worker: string): number {
    return this.stack.functions.invoked.get(`lambdas/workers/${worker}.handler`) ?? 0;
  }

  /** Waits until a worker has run once more than `before`. */
  async ran(worker: string, before: number): Promise<void> {
    const isRunning = () => this.stack.functions.running.includes(`lambdas/workers/${worker}.handler`);
    await eventually(async () => this.runsOf(worker) > before && !isRunning(), PATIENCE_MS);
  }

  /** Keeps a website or a provider of a test until the end. */
  keep<Server extends { close(): unknown }>(server: Server): Server {
    this.#servers.push(server);
    return server;
  }

  /** Lets time pass, at a moment when nothing runs but what sleeps. */
  async pass(seconds: number): Promise<void> {
    const { functions, clock } = this.stack;
    const ends = Promise.withResolvers<void>();
    this.#moving = ends.promise;
    try {
      await eventually(async () => functions.running.every((handler) => SLEEPERS.includes(handler)), PATIENCE_MS);
      clock.advance(seconds);
    } finally {
      this.#moving = undefined;
      ends.resolve();
    }
  }

  /** Waits until no time is about to pass. */
  async settled(): Promise<void> {
    await this.#moving;
  }

  get bucket(): string {
    return bucketOf(this.stack);
  }

  /** Which index is searched and written. */
  async registry(): Promise<Json> {
    return (await this.stack.readItem('SPACE', 'ACTIVE')) as Json;
  }

  /** Lets time pass until all pages are in the index that is searched, and the others are deleted. */
  async moved(): Promise<void> {
    await eventually(async () => {
      const { version, step } = await this.registry();
      if (step === undefined) return true;
      await this.pass(PAUSE_SECONDS);
      await eventually(async () => String((await this.registry()).version) !== String(version), PATIENCE_MS);
      return false;
    }, 3 * PATIENCE_MS);
  }

  async end(): Promise<void> {
    for (const server of this.#servers) await server.close();
    await this.stack.stop();
    this.#folder.remove();
  }
}

const bucketOf = ({ template }: RunningStack): string =>
  template.ofType('AWS::S3::Bucket').find(({ properties }) => properties.VersioningConfiguration)?.ref ?? '';

async function operate(stack: RunningStack, ...args: readonly string[]): Promise<object> {
  const { template } = stack;
  const queue = template.ofType('AWS::SQS::Queue').find(({ ref }) => ref.endsWith('move-index.fifo'))?.ref ?? '';
  const prefix = new URL(queue).pathname.replace(/move-index\.fifo$/, '');
  const { code, stdout, stderr } = await run('admin', ['--stack', template.stackName, ...args], {
    DYNAMODB_URL: engineUrl('dynoxide'),
    S3_URL: stack.s3Url,
    PAGES_BUCKET: bucketOf(stack),
    OPENSEARCH_URL: engineUrl('opensearch'),
    QUEUE_URL_PREFIX: `${engineUrl('elasticmq')}${prefix}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'operator',
    AWS_SECRET_ACCESS_KEY: 'tests',
  });
  if (code !== 0 && stdout === '') throw new Error(`admin ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as object;
}

function expectSuccess(answer: Answer, what: string): Answer {
  if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

const transportTo =
  (url: string, always: Readonly<Record<string, string>> = {}): Transport =>
  async ({ method, path, headers, body }) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...always, ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
