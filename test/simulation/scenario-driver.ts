import { cancelCrawl } from '../../lambdas/domain/crawl/jobs/end-crawl.ts';
import { startCrawl } from '../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { AppError, UnavailableError } from '../../lambdas/domain/errors.ts';
import { deleteSite } from '../../lambdas/domain/pages/removal/delete-site.ts';
import { createOrganisation } from '../../lambdas/domain/sites/access/organisation.ts';
import { createSite, updateSite } from '../../lambdas/domain/sites/manage-sites.ts';
import { type SiteState, stateKey } from '../../lambdas/domain/sites/site.ts';
import { createWebhook } from '../../lambdas/domain/webhooks/manage-webhooks.ts';
import { EVENT_TYPES } from '../../lambdas/domain/webhooks/webhook.ts';
import { type Acting, crawlBySchedule } from './crawl-by-schedule.ts';
import { Reviewer } from './reviewer.ts';
import type { Scenario } from './scenario.ts';
import type { Simulation } from './simulation.ts';
import { ORIGIN, revisedSite } from './site-plan.ts';
import { laterSite } from './vanishing-site.ts';
import type { Workers } from './workers.ts';

const CALLER = { orgId: 'org', plan: 'enterprise', keyId: 'key', role: 'owner' } as const;

/** Acts as the owner of a site: creates, crawls, cancels and deletes it as the scenario says. */
export class ScenarioDriver {
  readonly #simulation: Simulation;
  readonly #deps;
  readonly #scenario: Scenario;
  readonly #reviewer: Reviewer;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #acting: Acting;
  siteId = '';
  isDone = false;

  constructor(simulation: Simulation, scenario: Scenario) {
    const process = simulation.process('owner');
    this.#simulation = simulation;
    this.#scenario = scenario;
    this.#deps = {
      table: simulation.tableOf(process),
      queue: simulation.queueOf(process),
      clock: simulation.clock,
      newId: simulation.newId,
    };
    this.#sleep = (ms) => process.sleep(ms);
    const insist = (act: () => Promise<unknown>) => this.#insist(act);
    this.#acting = { simulation, deps: this.#deps, sleep: this.#sleep, insist };
    this.#reviewer = new Reviewer(simulation, { caller: CALLER, deps: this.#deps, insist });
  }

  async act(workers: Workers): Promise<void> {
    const { faults, random } = this.#simulation;
    await createOrganisation({ orgId: CALLER.orgId, name: 'Test', plan: 'enterprise' }, this.#deps);
    const { settings } = await createSite({ name: 'Test', baseUrl: `${ORIGIN}/` }, CALLER, this.#deps);
    this.siteId = settings.siteId;
    const { removalPolicy, maxPages, maxDepth, hasLeaves } = this.#scenario;
    const sitemaps = hasLeaves ? { sitemaps: [{ url: '/sitemap.xml', recursive: false }] } : {};
    const crawlerConfig = { maxPages, maxDepth, ...sitemaps };
    await updateSite(this.siteId, { removalPolicy, crawlerConfig }, CALLER, this.#deps);
    const webhook = { siteId: this.siteId, url: 'https://hook.example/', events: EVENT_TYPES };
    await createWebhook(webhook, CALLER, {
      ...this.#deps,
      checkAddress: async () => 'crawlable',
      newSecret: () => 'x',
    });
    faults.begin();
    const faultsByTime = [
      ...random.times(faults.halts, async () => {
        await this.#sleep(random.int(0, 120_000));
        workers.halt();
      }),
      ...random.times(faults.clockTurns, async () => {
        await this.#sleep(random.int(0, 120_000));
        this.#simulation.turnClock();
      }),
      ...random.times(faults.powerCuts, async () => {
        await this.#sleep(random.int(0, 60_000));
        await workers.cutPower();
      }),
    ];
    await Promise.all([this.#crawl(workers), this.#cancel(), this.#delete(), ...faultsByTime]);
    this.isDone = true;
  }

  async #crawl(workers: Workers): Promise<void> {
    const { crawls, isScheduled } = this.#scenario;
    for (let crawl = 1; crawl <= crawls; crawl++) {
      if (crawl > 1) await this.#revise();
      if (crawl > 1 && isScheduled) await crawlBySchedule(this.siteId, CALLER, { ...this.#acting, workers });
      else await this.#insist(() => startCrawl({ siteId: this.siteId, overrides: {} }, CALLER, this.#deps));
      while (this.#runningJobId !== null) await this.#sleep(1000);
      if (await this.#reviewer.decide(this.siteId)) await this.#reviseDuringSweep();
    }
  }

  /** Some pages may come back before they are probed again. */
  async #reviseDuringSweep(): Promise<void> {
    const { site, random, scheduler } = this.#simulation;
    if (random.chance(0.5)) return;
    await this.#sleep(random.pick([0, random.int(0, 3000), random.int(0, 60_000)]));
    site.revise(random.chance(0.5) ? site.firstPlan : revisedSite(site.plan, random), scheduler.now);
  }

  /** Waits, so that a job begins before or after the revision. */
  async #revise(): Promise<void> {
    const { site, random, scheduler } = this.#simulation;
    await this.#sleep(2000);
    site.revise(laterSite(site.plan, site.firstPlan, random), scheduler.now);
    await this.#sleep(2000);
  }

  async #cancel(): Promise<void> {
    const { cancelAt } = this.#scenario;
    if (cancelAt === undefined) return;
    await this.#sleep(cancelAt);
    const jobId = this.#runningJobId;
    if (jobId !== null) await this.#insist(() => cancelCrawl(jobId, CALLER, this.#deps));
  }

  async #delete(): Promise<void> {
    const { deleteAt } = this.#scenario;
    if (deleteAt === undefined) return;
    await this.#sleep(deleteAt);
    await this.#insist(() => deleteSite(this.siteId, CALLER, this.#deps));
  }

  get #runningJobId(): string | null {
    const state = this.#simulation.table.get(stateKey(this.siteId)) as SiteState | undefined;
    return state?.runningJobId ?? null;
  }

  /** Retries while a service is down. A refusal means that it was done before, or that the site is gone. */
  async #insist(act: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await act();
        return;
      } catch (error) {
        if (error instanceof AppError) return;
        if (!(error instanceof UnavailableError)) throw error;
        await this.#sleep(1000);
      }
    }
  }
}
