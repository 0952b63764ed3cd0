import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { admin } from './admin-command.ts';
import type { Transport } from './api-client.ts';
import { eventually } from './eventually.ts';
import { GENEROUS_LIMITS } from './generous-limits.ts';
import { TestApi } from './test-api.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
/** The limit of a start: a slow machine takes 10 s for a start with the demo site while other tests run. */
const START_LIMIT_MS = 50_000;

export type Ready = {
  readonly baseUrl: string;
  readonly publicUrl: string;
  readonly dashboardUrl: string;
  readonly signInUrl?: string;
  readonly orgId: string;
  readonly apiKey: string;
  readonly demoSiteId?: string;
};

/** `npm start` as a child process: on a free port, with a temporary folder that outlives a kill. */
export class LocalService extends TestApi {
  readonly dataDir: string;
  #env: Readonly<Record<string, string>>;
  readonly #options: readonly string[];
  #process: ChildProcess | undefined;
  ready!: Ready;

  private constructor(dataDir: string, options: readonly string[], env: Readonly<Record<string, string>>) {
    super();
    this.dataDir = dataDir;
    this.#options = options;
    this.#env = env;
  }

  static async start({
    options = ['--no-demo'],
    env = {},
  }: {
    readonly options?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {}): Promise<LocalService> {
    const service = new LocalService(await mkdtemp(join(tmpdir(), 'site-search-')), options, env);
    await service.restart();
    return service;
  }

  /** Starts again, with additional variables. */
  async restart(more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#env = { ...this.#env, ...more };
    await rm(join(this.dataDir, 'ready.json'), { force: true });
    const { PATH, OPENSEARCH_URL } = process.env;
    const chosen = { ...GENEROUS_LIMITS, LOG_LEVEL: 'debug', ...this.#env };
    const env = { PATH, ...(OPENSEARCH_URL && { OPENSEARCH_URL }), ...chosen };
    this.log.addEnvironment(this.#env);
    const child = spawn(process.execPath, ['bin/local.ts', '--port', '0', '--data', this.dataDir, ...this.#options], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.log.addPrinted(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.log.write(text));
    this.#process = child;
    this.ready = await eventually(async () => {
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) throw new Error(`the service ended with ${end}`);
      return JSON.parse(await readFile(join(this.dataDir, 'ready.json'), 'utf8').catch(() => 'null')) ?? undefined;
    }, START_LIMIT_MS);
    this.log.addSecret(this.ready.apiKey);
    if (this.ready.signInUrl) this.log.addSecret(new URL(this.ready.signInUrl).hash.slice('#token='.length));
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }

  get logLines(): readonly string[] {
    return this.log.lines;
  }

  /** Memory of the process, from /proc; 0 on other systems. */
  residentMB(): number {
    try {
      const [, pages] = readFileSync(`/proc/${this.#process?.pid}/statm`, 'utf8').split(' ');
      return (Number(pages) * 4096) / 1e6;
    } catch {
      return 0;
    }
  }

  /** Processor time used by the process, from /proc; 0 on other systems. */
  processorMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process?.pid}/stat`, 'utf8');
      const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
      return (Number(user) + Number(system)) * 10;
    } catch {
      return 0;
    }
  }

  protected async stop(): Promise<void> {
    await this.kill('SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  protected readonly transport: Transport = async ({ path, ...init }) => {
    const response = await fetch(new URL(path, this.ready.dashboardUrl), init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  protected admin(command: string, options: Readonly<Record<string, string>>): Promise<object> {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return admin(this.dataDir, ...command.split(' '), ...args);
  }
}
