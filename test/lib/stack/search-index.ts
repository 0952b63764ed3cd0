import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MAPPING } from '../../../lambdas/aws/opensearch/layout.ts';
import { BUILTIN_SPACE, providerSpace } from '../../../lambdas/connectors/embedder/space.ts';
import { resourceAt } from '../readable-template.ts';
import { API_KEY_SECRET, options } from '../synthesis.ts';
import { production, trial } from './templates.ts';

const domain = resourceAt(trial, 'SearchIndex/Domain');
const productionDomain = resourceAt(production, 'SearchIndex/Domain');

describe('the search domain', () => {
  it('encrypts data on disk, between nodes and in requests', () => {
    expect(domain.Properties).toMatchObject({
      EncryptionAtRestOptions: { Enabled: true },
      NodeToNodeEncryptionOptions: { Enabled: true },
      DomainEndpointOptions: { EnforceHTTPS: true, TLSSecurityPolicy: 'Policy-Min-TLS-1-2-PFS-2023-10' },
    });
  });

  it('is public, and admits signed requests from within the account only', () => {
    expect(domain.Properties).not.toHaveProperty('VPCOptions');
    expect(domain.Properties.AccessPolicies.Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:<Partition>:iam::<AccountId>:root' },
        Action: expect.not.arrayContaining(['es:*']),
        Resource: 'arn:<Partition>:es:<Region>:<AccountId>:domain/site-search-test/*',
      },
    ]);
  });

  it('runs the engine of the tests, and can be upgraded in place', () => {
    expect(domain.Properties).toMatchObject({ DomainName: 'site-search-test', EngineVersion: 'OpenSearch_3.5' });
    const recipe = readFileSync(new URL('../../engines/recipes/opensearch/pom.xml', import.meta.url), 'utf8');
    expect(recipe).toContain('<opensearch.version>3.5.');
    for (const { UpdatePolicy } of [domain, productionDomain])
      expect(UpdatePolicy).toEqual({ EnableVersionUpgrade: true });
  });

  it('of a trial has one small node, and goes with the stack', () => {
    expect(domain.Properties).toMatchObject({
      ClusterConfig: { InstanceCount: 1, InstanceType: 't3.small.search', ZoneAwarenessEnabled: false },
      EBSOptions: { EBSEnabled: true, VolumeSize: 10, VolumeType: 'gp3' },
    });
    expect(domain).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
  });

  it('of production has a node in each of three zones, and outlives the stack unless its first deployment fails', () => {
    expect(productionDomain.Properties).toMatchObject({
      ClusterConfig: {
        InstanceCount: 3,
        InstanceType: 'r6g.large.search',
        ZoneAwarenessEnabled: true,
        ZoneAwarenessConfig: { AvailabilityZoneCount: 3 },
        DedicatedMasterEnabled: false,
        MultiAZWithStandbyEnabled: false,
      },
      EBSOptions: { EBSEnabled: true, VolumeSize: 50, VolumeType: 'gp3' },
    });
    expect(productionDomain).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  });
});

describe('the index', () => {
  it('is created with a copy on each node', () => {
    expect(resourceAt(trial, 'SearchIndex/Index').Properties).toMatchObject({ shards: 1, replicas: 0 });
    expect(resourceAt(production, 'SearchIndex/Index').Properties).toMatchObject({ shards: 3, replicas: 2 });
  });

  it('is created by a function, which CloudFormation calls again when layout, embedding space or size change', () => {
    const { ServiceToken, ServiceTimeout, ...properties } = resourceAt(production, 'SearchIndex/Index').Properties;
    expect(ServiceToken).toBe('SearchIndex/create-index.Arn');
    expect(properties).toEqual({
      shards: 3,
      replicas: 2,
      layout: MAPPING,
      space: providerSpace(options.embedding),
      apiKeySecret: API_KEY_SECRET,
    });
    const { layout, space } = resourceAt(trial, 'SearchIndex/Index').Properties;
    expect([layout, space]).toEqual([MAPPING, BUILTIN_SPACE]);
  });

  it('is created after every function that writes pages is updated', () => {
    const { DependsOn } = resourceAt(trial, 'SearchIndex/Index');
    for (const name of ['Workers/crawl-slice', 'Workers/embed-pages', 'Workers/clean-up-site', 'Api/ingest-pages'])
      expect(DependsOn).toContain(name);
  });
});
