import { EbsDeviceVolumeType } from 'aws-cdk-lib/aws-ec2';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type CfnDomain, Domain, EngineVersion, TLSSecurityPolicy } from 'aws-cdk-lib/aws-opensearchservice';
import { CfnCustomResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct, type IDependable } from 'constructs';
import { embeddingVariables } from './embedding.ts';
import { type Service, ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';

export type SearchIndexProps = { readonly domainName: string; readonly settings: Settings };

const METHODS = ['Delete', 'Get', 'Head', 'Post', 'Put'].map((method) => `es:ESHttp${method}`);

/**
 * What is searched: derived from storage, and able to be built again. The domain stands on the internet and answers only to
 * signed requests of roles that were granted it, so that crawl workers need no VPC.
 */
export class SearchIndex extends Construct {
  readonly domain: Domain;

  constructor(scope: Construct, id: string, { domainName, settings }: SearchIndexProps) {
    super(scope, id);
    const { nodes, instanceType, gibibytesPerNode } = settings.search;
    this.domain = new Domain(this, 'Domain', {
      domainName,
      version: EngineVersion.OPENSEARCH_3_5, // the newest that is not newer than the engine of the tests
      capacity: { dataNodes: nodes, dataNodeInstanceType: instanceType, multiAzWithStandbyEnabled: false },
      ...(nodes > 1 && { zoneAwareness: { availabilityZoneCount: nodes } }),
      ebs: { volumeSize: gibibytesPerNode, volumeType: EbsDeviceVolumeType.GP3 },
      encryptionAtRest: { enabled: true },
      nodeToNodeEncryption: true,
      enforceHttps: true,
      tlsSecurityPolicy: TLSSecurityPolicy.TLS_1_2_PFS,
      removalPolicy: settings.keepIndex ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.#admitAccount(domainName);
    this.#explain(nodes);
  }

  /** Nobody from outside the account; within it, whose own role grants it. */
  #admitAccount(domainName: string): void {
    const domain = this.domain.node.defaultChild as CfnDomain;
    const everything = Stack.of(this).formatArn({ service: 'es', resource: 'domain', resourceName: `${domainName}/*` });
    const account = new AccountRootPrincipal();
    domain.accessPolicies = new PolicyDocument({
      statements: [new PolicyStatement({ principals: [account], actions: METHODS, resources: [everything] })],
    });
  }

  #explain(nodes: number): void {
    Validations.of(this.domain).acknowledge(
      {
        id: 'AwsSolutions-OS1',
        reason: 'In a VPC, crawl workers would need a NAT gateway; signed requests are the lock',
      },
      { id: 'AwsSolutions-OS3', reason: 'Functions have no fixed addresses' },
      { id: 'AwsSolutions-OS4', reason: 'Three data nodes elect their own master; masters pay off for larger domains' },
      { id: 'AwsSolutions-OS9[LogExport::SEARCH_SLOW_LOGS]', reason: 'They would keep what visitors search for' },
      { id: 'AwsSolutions-OS9[LogExport::INDEX_SLOW_LOGS]', reason: 'They would keep the texts of pages' },
    );
    if (nodes === 1) {
      const reason = 'One node, to try the service: its index can be built again';
      Validations.of(this.domain).acknowledge({ id: 'AwsSolutions-OS7', reason });
    }
  }

  grant(fn: ServiceFunction): void {
    fn.allowInside(this.domain, this.domain.domainArn, METHODS);
    fn.setVariables({ OPENSEARCH_URL: `https://${this.domain.domainEndpoint}` });
  }

  /**
   * Creates the index of the embedding space when there is none, and lets the pages of another one move there; never changes or deletes
   * one. Everything that writes pages knows the new space by then.
   */
  createIndex(service: Service, writers: readonly IDependable[]): void {
    const creator = new ServiceFunction(this, 'create-index', service, {
      entry: 'workers/create-index',
      summary: 'Creates the index of the embedding space when the stack is deployed, and begins a move to it',
      timeout: Duration.minutes(2),
    });
    const { nodes, shards } = service.settings.search;
    const index = new CfnCustomResource(this, 'Index', { serviceToken: creator.functionArn, serviceTimeout: 300 });
    index.addPropertyOverride('shards', shards);
    index.addPropertyOverride('replicas', nodes - 1);
    index.node.addDependency(...writers);
    // A change of what is given here makes CloudFormation ask again.
    index.addPropertyOverride('embedding', JSON.stringify(embeddingVariables(service.settings)));
  }
}
