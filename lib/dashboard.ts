import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { lambdaMetric } from './alarm-rules.ts';
import type { Api } from './api.ts';
import { type Messaging, queueDefinitions } from './messaging.ts';
import type { SearchIndex } from './search-index.ts';
import type { Storage } from './storage.ts';
import type { Workers } from './workers.ts';

export type DashboardProps = {
  readonly storage: Storage;
  readonly searchIndex: SearchIndex;
  readonly messaging: Messaging;
  readonly workers: Workers;
  readonly api: Api;
  /** The share of searches that were answered by words alone. */
  readonly degraded: IMetric;
  readonly alarms: readonly Alarm[];
};

const COLUMNS = 24;
const GRAPH = { width: COLUMNS / 4, height: 5 };
const FIVE_MINUTES = { period: Duration.minutes(5) };

/** Shows one screen: which alarms are on, what visitors notice, what waits, and how full the machines are. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { storage, searchIndex, messaging, workers, api, degraded, alarms } = props;
    const { gateway } = api;
    const { domain } = searchIndex;
    const search = api.functions.get('search-site');
    const crawl = workers.worker('crawl-slice');
    const worked = queueDefinitions.filter(([, { worker, deadLetters }]) => worker && deadLetters);
    const dead = queueDefinitions.filter(([, { deadLetters }]) => deadLetters === undefined);
    const dashboard = new CloudWatchDashboard(this, 'Screen', {
      dashboardName: Stack.of(this).stackName,
      defaultInterval: Duration.hours(12),
    });
    dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', width: COLUMNS, height: 4, alarms: [...alarms] }));
    dashboard.addWidgets(
      graph('Requests', [gateway.metricCount(), gateway.metricClientError(), gateway.metricServerError()]),
      graph(
        'Requests, ms',
        percentiles((more) => gateway.metricLatency(more)),
      ),
      graph('Searches, ms', search ? percentiles((more) => search.metricDuration(more)) : []),
      graph('Share of searches by words alone', [degraded]),
    );
    dashboard.addWidgets(
      graph('Crawl slices', [crawl.metricInvocations(FIVE_MINUTES), crawl.metricErrors(FIVE_MINUTES)]),
      graph(
        'Messages that wait',
        worked.map(([name]) => messaging.queue(name).metricApproximateNumberOfMessagesVisible(FIVE_MINUTES)),
      ),
      graph(
        'Dead letters',
        dead.map(([name]) => messaging.queue(name).metricApproximateNumberOfMessagesVisible(FIVE_MINUTES)),
      ),
      graph('Functions of the region', ['ConcurrentExecutions', 'Throttles', 'Errors'].map(lambdaMetric)),
    );
    dashboard.addWidgets(
      graph('Search nodes: CPU and memory, %', [domain.metricCPUUtilization(), domain.metricJVMMemoryPressure()]),
      graph('Search nodes: free disk, MB', [domain.metricFreeStorageSpace()]),
      graph('Search nodes: number, red, yellow', [
        domain.metricNodes(),
        domain.metricClusterStatusRed(),
        domain.metricClusterStatusYellow(),
      ]),
      graph(
        'Table: units used and refusals',
        [
          ...(['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'] as const),
          ...(['ReadThrottleEvents', 'WriteThrottleEvents'] as const),
        ].map((name) => storage.tableMetric(name)),
      ),
    );
  }
}

const graph = (title: string, left: readonly IMetric[]): GraphWidget =>
  new GraphWidget({ title, left: [...left], ...GRAPH });

const percentiles = (metric: (props: object) => IMetric): readonly IMetric[] =>
  [50, 95].map((p) => metric({ ...FIVE_MINUTES, statistic: Stats.percentile(p), label: `p${p}` }));
