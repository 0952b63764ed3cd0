import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { isSearch } from '../lambdas/routes/route.ts';
import { routes } from '../lambdas/routes.ts';
import type { Api } from './api.ts';

/**
 * Returns the share of searches answered by words alone, because the embedding provider did not answer in time. It is
 * the mean of a field that each search logs as 0 or 1 (runtime/endpoint.ts).
 */
export function degradedSearches({ gateway, functions }: Api): Metric {
  const metric = { namespace: `SiteSearch/${Stack.of(gateway).stackName}`, metricName: 'DegradedSearches' };
  for (const [name, fn] of functions) {
    if (name === 'fallback' || !isSearch(routes[name])) continue;
    new MetricFilter(fn, 'Degraded', {
      logGroup: fn.logGroup,
      filterPattern: FilterPattern.exists('$.degraded'),
      metricNamespace: metric.namespace,
      metricName: metric.metricName,
      metricValue: '$.degraded',
    });
  }
  return new Metric({ ...metric, statistic: Stats.AVERAGE, period: Duration.minutes(5) });
}
