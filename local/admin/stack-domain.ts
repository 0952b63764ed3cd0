import { DescribeDomainCommand, OpenSearchClient } from '@aws-sdk/client-opensearch';
import { env } from '../../lambdas/env.ts';

export async function domainOf(DomainName: string): Promise<{ readonly url: string; readonly replicas: number }> {
  if (env.OPENSEARCH_URL !== undefined) return { url: env.OPENSEARCH_URL, replicas: 0 };
  const { DomainStatus } = await new OpenSearchClient().send(new DescribeDomainCommand({ DomainName }));
  if (DomainStatus?.Endpoint === undefined) throw new Error(`The domain ${DomainName} has no endpoint yet`);
  return {
    url: `https://${DomainStatus.Endpoint}`,
    replicas: (DomainStatus.ClusterConfig?.InstanceCount ?? 1) - 1,
  };
}
