import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

export type Ready = {
  readonly baseUrl: string;
  readonly publicUrl: string;
  readonly dashboardUrl: string;
  readonly orgId: string;
  readonly apiKey: string;
  readonly demoSiteId?: string;
};

/** An answer's body, or a part of it; the expectations of a test say what it must be. */
export interface Json {
  readonly [field: string]: Json;
}

export const listOf = (json: Json | undefined): readonly Json[] => {
  if (!Array.isArray(json)) throw new TypeError(`not a list: ${JSON.stringify(json)}`);
  return json;
};

export type Answer = { readonly status: number; readonly body: Json; readonly headers: Headers };

/** `npm start` in a process of its own, on a free port and a temporary folder that outlives a kill; on the OpenSearch that the tests are given, if any. */
export class LocalService {
  readonly dataDir: string;
  #env: Readonly<Record<string, string>>;
  readonly #options: readonly string[];
  #process: ChildProcess | undefined;
  ready!: Ready;

  private constructor(dataDir: string, options: readonly string[], env: Readonly<Record<string, string>>) {
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

  /** With more variables than before, if any are given. */
  async restart(more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#env = { ...this.#env, ...more };
    await rm(join(this.dataDir, 'ready.json'), { force: true });
    const { PATH, OPENSEARCH_URL } = process.env;
    const env = { PATH, ...(OPENSEARCH_URL && { OPENSEARCH_URL }), ...this.#env };
    const conditions = ['--conditions=local', ...(env.OPENSEARCH_URL ? ['--conditions=opensearch'] : [])];
    const flags = ['--disable-warning=ExperimentalWarning', ...conditions, 'bin/local.ts'];
    const child = spawn(process.execPath, [...flags, '--port', '0', '--data', this.dataDir, ...this.#options], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#process = child;
    this.ready = await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
      return JSON.parse(await readFile(join(this.dataDir, 'ready.json'), 'utf8').catch(() => 'null')) ?? undefined;
    });
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }

  /** Memory of the process now, from the kernel; 0 where it does not tell. */
  residentMB(): number {
    try {
      const [, pages] = readFileSync(`/proc/${this.#process?.pid}/statm`, 'utf8').split(' ');
      return (Number(pages) * 4096) / 1e6;
    } catch {
      return 0;
    }
  }

  /** Processor time that the process has used, from the kernel; 0 where it does not tell. */
  processorMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process?.pid}/stat`, 'utf8');
      const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
      return (Number(user) + Number(system)) * 10;
    } catch {
      return 0;
    }
  }

  async end(): Promise<void> {
    await this.kill('SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** A call with the owner's key, relative to `/api`. */
  api(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = {
      Authorization: `Bearer ${this.ready.apiKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    return call(`${this.ready.baseUrl}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** A visitor's call, relative to `/v1`. */
  visit(path: string, init: RequestInit = {}): Promise<Answer> {
    return call(`${this.ready.publicUrl}${path}`, init);
  }

  /** Creates a site that everyone may search; answers its id. */
  async createSite(baseUrl: string, crawlerConfig: object = {}): Promise<string> {
    const { body } = await this.api('POST', '/sites', { name: 'Test', baseUrl, crawlerConfig });
    await this.api('PUT', `/sites/${body.siteId}`, { publicAccess: { enabled: true, allowedDomains: ['*'] } });
    return String(body.siteId);
  }

  async startCrawl(siteId: string, overrides?: object): Promise<string> {
    return String((await this.api('POST', `/sites/${siteId}/crawl`, overrides)).body.jobId);
  }

  /** The job once it has ended. */
  ended(jobId: string, limitMs = 30_000): Promise<Json> {
    return eventually(async () => {
      const { body } = await this.api('GET', `/jobs/${jobId}`);
      return ['completed', 'failed', 'cancelled'].includes(String(body.status)) ? body : undefined;
    }, limitMs);
  }
}

async function call(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text || '{}') as Json };
}
