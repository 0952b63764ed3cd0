import { DescribeDomainHealthCommand, OpenSearchClient } from '@aws-sdk/client-opensearch';
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { readJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { everyItem } from '../../lambdas/domain/every-item.ts';
import { readIndexRegistry } from '../../lambdas/domain/pages/reindexing/index-registry.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { type QueueDefinition, queues } from '../../lambdas/messages.ts';
import { resourceNames } from '../../lib/resource-names.ts';

/**
 * Returns the queues, running jobs, index and search domain of a stack. A part that cannot be read has the reason
 * instead.
 */
export async function stackStatus(stackName: string, table: Table): Promise<object> {
  const { queuePrefix, searchDomain } = resourceNames(stackName);
  const [queueResults, jobs, index, domain] = await Promise.all([
    queueStates(queuePrefix),
    orFault(runningJobs(table)),
    orFault(indexState(table)),
    orFault(domainHealth(searchDomain)),
  ]);
  return { stack: stackName, queues: queueResults, jobs, index, domain };
}

async function queueStates(prefix: string): Promise<object> {
  const client = new SQSClient();
  const states = (Object.entries(queues) as [string, QueueDefinition][]).map(
    async ([name, { fifo }]) =>
      [name, await orFault(queueState(`${prefix}${name}${fifo ? '.fifo' : ''}`, client))] as const,
  );
  return Object.fromEntries(await Promise.all(states));
}

async function queueState(QueueName: string, client: SQSClient): Promise<object> {
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName }));
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return {
    waiting:
      Number(Attributes?.ApproximateNumberOfMessages ?? 0) +
      Number(Attributes?.ApproximateNumberOfMessagesDelayed ?? 0),
    worked: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
}

async function runningJobs(table: Table): Promise<readonly object[]> {
  const jobs: object[] = [];
  for await (const { jobId } of everyItem<{ jobId: string }>(table, 'RUNNING', 'JOB#')) {
    const job = await readJob(jobId, table);
    if (job) {
      const { siteId, status, slice, discovered, leaseUntil } = job;
      jobs.push({ jobId, siteId, status, slice, discovered, leaseUntil });
    }
  }
  return jobs;
}

async function indexState(table: Table): Promise<object> {
  const record = await readIndexRegistry(table);
  if (!record) return {};
  const { searched, secondary, step, after, notBefore } = record;
  return {
    searched: searched.space,
    ...(step && { step, alsoWritten: secondary?.space, afterSite: after?.siteId, notBefore }),
  };
}

async function domainHealth(DomainName: string): Promise<object> {
  const health = await new OpenSearchClient().send(new DescribeDomainHealthCommand({ DomainName }));
  return {
    state: health.DomainState,
    health: health.ClusterHealth,
    nodes: health.DataNodeCount,
    shards: health.TotalShards,
    unassignedShards: health.TotalUnAssignedShards,
  };
}

async function orFault<T>(part: Promise<T>): Promise<T | { readonly fault: string }> {
  try {
    return await part;
  } catch (error) {
    return { fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}
