import { randomUUID } from 'node:crypto';
import { openSearchClient } from '../../../lambdas/adapters/aws/opensearch/client.ts';
import { opensearchEventLog } from '../../../lambdas/adapters/aws/opensearch/opensearch-event-log.ts';
import { eventLogContract, NOON } from '../event-log.contract.ts';

const { OPENSEARCH_URL: url = '' } = process.env;

/** The whole contract holds. The indexes have a prefix of their own, and are deleted at the end. */
async function open() {
  const client = openSearchClient(url, { limitMs: 10_000 });
  const prefix = `test-${randomUUID()}-`;
  return {
    eventLog: opensearchEventLog(client, { prefix, now: () => NOON }),
    settle: async () => void (await client.send({ method: 'POST', path: `/${prefix}*/_refresh` })),
    async close() {
      await client.send({ method: 'DELETE', path: `/${prefix}event*` });
      await client.send({ method: 'DELETE', path: `/_index_template/${prefix}site-search-events` });
      client.close();
    },
  };
}

eventLogContract('OpenSearch', open);
