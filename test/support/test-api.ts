import type { Answer, Json } from './answer.ts';
import { type ApiClient, type ApiRequest, type ApiResult, apiClient, type Transport } from './api-client.ts';
import { eventually } from './eventually.ts';
import { ServiceLog } from './service-log.ts';

type CallOptions = Omit<ApiRequest, 'path'>;

/** Before a test's own service takes stderr over. */
const show = process.stderr.write.bind(process.stderr);

type Event = { readonly event: string; readonly data: Json };

/** Without the comments. */
const eventsIn = (text: string): readonly Event[] =>
  Array.from(text.matchAll(/^event: (.+)\ndata: (.+)$/gm), ([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data) as Json,
  }));

export type Owner = { readonly orgId: string; readonly apiKey: string };

/** The API as tests call it: `InProcessApi` in the test's process, `LocalService` as a child process. */
export abstract class TestApi {
  /** The organisation Local and its owner's key. */
  abstract readonly ready: Owner;
  protected abstract readonly transport: Transport;
  protected abstract admin(command: string, options: Readonly<Record<string, string>>): Promise<object>;
  /** Ends the service. Throws if its log has a secret. */
  async end(): Promise<void> {
    await this.stop();
    this.log.assertNoSecrets();
  }

  protected abstract stop(): Promise<void>;
  protected readonly log = new ServiceLog(show);

  /** Calls with a key, or as a visitor without one. Paths start at the root of the server. */
  client(apiKey?: string): ApiClient {
    this.log.addSecret(apiKey);
    return apiClient((request) => this.#watched(request), apiKey);
  }

  async makeOrganisation(plan: string): Promise<Owner> {
    const made = (await this.admin('organisation create', { name: plan, plan })) as Owner;
    this.log.addSecret(made.apiKey);
    return made;
  }

  async setPlan(orgId: string, plan: string): Promise<void> {
    await this.admin('organisation set-plan', { org: orgId, plan });
  }

  async makeKey(role: string): Promise<string> {
    const made = await this.admin('key create', { org: this.ready.orgId, role, name: role });
    const { apiKey } = made as Owner;
    this.log.addSecret(apiKey);
    return apiKey;
  }

  async revokeKey(apiKey: string): Promise<void> {
    await this.admin('key revoke', { key: apiKey.split('_')[1] ?? '' });
  }

  /** A call with the owner's key; the path is relative to `/api`. */
  api(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = {
      Authorization: `Bearer ${this.ready.apiKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    return this.#call(`/api${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  }

  /** A visitor's call; the path is relative to `/v1`. */
  visit(path: string, { method = 'GET', headers = {}, body }: Partial<CallOptions> = {}): Promise<Answer> {
    return this.#call(`/v1${path}`, { method, headers, ...(body !== undefined && { body }) });
  }

  async #watched(request: ApiRequest): Promise<ApiResult> {
    const result = await this.transport(request);
    this.log.addSecretsOf(result.text);
    return result;
  }

  /** A visitor's question, answered by server-sent events. */
  async stream(path: string, body: object): Promise<Pick<Answer, 'status' | 'headers'> & { body: readonly Event[] }> {
    const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' };
    const answer = await this.#watched({ path, method: 'POST', headers, body: JSON.stringify(body) });
    return { ...answer, body: answer.status === 200 ? eventsIn(answer.text) : [] };
  }

  async #call(path: string, options: CallOptions): Promise<Answer> {
    const { status, headers, text } = await this.#watched({ path, ...options });
    return { status, headers, body: JSON.parse(text || '{}') as Json };
  }

  /** Creates a site that everyone may search; returns its id. */
  async createSite(baseUrl: string, crawlerConfig: object = {}): Promise<string> {
    const { body } = await this.api('POST', '/sites', { name: 'Test', baseUrl, crawlerConfig });
    await this.api('PUT', `/sites/${body.siteId}`, { publicAccess: { enabled: true, allowedDomains: ['*'] } });
    return String(body.siteId);
  }

  async startCrawl(siteId: string, overrides?: object): Promise<string> {
    return String((await this.api('POST', `/sites/${siteId}/crawl`, overrides)).body.jobId);
  }

  ended(jobId: string, limitMs = 30_000): Promise<Json> {
    return eventually(async () => {
      const { body } = await this.api('GET', `/jobs/${jobId}`);
      return ['completed', 'failed', 'cancelled'].includes(String(body.status)) ? body : undefined;
    }, limitMs);
  }
}
