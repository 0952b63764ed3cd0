import { EbsDeviceVolumeType } from 'aws-cdk-lib/aws-ec2';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type CfnDomain, Domain, EngineVersion, TLSSecurityPolicy } from 'aws-cdk-lib/aws-opensearchservice';
import { CustomResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct, type IDependable } from 'constructs';
import { MAPPING } from '../lambdas/aws/opensearch/layout.ts';
import { embeddingSpace } from './embedding.ts';
import { type Service, ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';

export type SearchIndexProps = { readonly domainName: string; readonly settings: Settings };

const CREATION_TIMEOUT = Duration.minutes(2);
const METHODS = ['Delete', 'Get', 'Head', 'Post', 'Put'].map((method) => `es:ESHttp${method}`);

/**
 * The OpenSearch domain. Its index is derived from storage and can be rebuilt.
 * The endpoint is public, so that crawl workers need no VPC. It accepts only signed requests of roles with a grant.
 */
export class SearchIndex extends Construct {
  readonly domain: Domain;

  constructor(scope: Construct, id: string, { domainName, settings }: SearchIndexProps) {
    super(scope, id);
    const { nodes, instanceType, gibibytesPerNode } = settings.search;
    this.domain = new Domain(this, 'Domain', {
      domainName,
      version: EngineVersion.OPENSEARCH_3_5, // the tests run it and the next one (test/engines/engines.ts)
      enableVersionUpgrade: true, // otherwise another version would replace the domain
      capacity: { dataNodes: nodes, dataNodeInstanceType: instanceType, multiAzWithStandbyEnabled: false },
      ...(nodes > 1 && { zoneAwareness: { availabilityZoneCount: nodes } }),
      ebs: { volumeSize: gibibytesPerNode, volumeType: EbsDeviceVolumeType.GP3 },
      encryptionAtRest: { enabled: true },
      nodeToNodeEncryption: true,
      enforceHttps: true,
      tlsSecurityPolicy: TLSSecurityPolicy.TLS_1_2_PFS,
      removalPolicy: settings.keepIndex ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    this.#restrictToAccount(domainName);
    this.#acknowledgeFindings(nodes);
  }

  /** Restricts the domain to the account. Within the account, each role needs a separate grant. */
  #restrictToAccount(domainName: string): void {
    const domain = this.domain.node.defaultChild as CfnDomain;
    const everything = Stack.of(this).formatArn({ service: 'es', resource: 'domain', resourceName: `${domainName}/*` });
    const account = new AccountRootPrincipal();
    domain.accessPolicies = new PolicyDocument({
      statements: [new PolicyStatement({ principals: [account], actions: METHODS, resources: [everything] })],
    });
  }

  #acknowledgeFindings(nodes: number): void {
    Validations.of(this.domain).acknowledge(
      {
        id: 'AwsSolutions-OS1',
        reason: 'In a VPC, crawl workers would need a NAT gateway; requests must be signed instead',
      },
      { id: 'AwsSolutions-OS3', reason: 'Functions have no fixed IP addresses' },
      {
        id: 'AwsSolutions-OS4',
        reason: 'Three data nodes elect a master; dedicated masters pay off for larger domains',
      },
      { id: 'AwsSolutions-OS9[LogExport::SEARCH_SLOW_LOGS]', reason: 'They would store the queries of visitors' },
      { id: 'AwsSolutions-OS9[LogExport::INDEX_SLOW_LOGS]', reason: 'They would store the texts of pages' },
    );
    if (nodes === 1) {
      const reason = 'A trial has one node; its index can be rebuilt';
      Validations.of(this.domain).acknowledge({ id: 'AwsSolutions-OS7', reason });
    }
  }

  /** Allows searches of pages, whose body names the index. */
  grantSearch(fn: ServiceFunction): void {
    this.#allow(fn, 'Post', '_msearch');
  }

  grantPages(fn: ServiceFunction): void {
    this.#allow(fn, 'Post', '_msearch', ...['_bulk', '_refresh', '_delete_by_query'].map((call) => `pages-*/${call}`));
  }

  grantMoves(fn: ServiceFunction): void {
    this.#allow(fn, 'Head', 'pages-*');
    this.#allow(fn, 'Delete', 'pages-*');
  }

  grantCreation(fn: ServiceFunction): void {
    this.#allow(fn, 'Head', '_alias/pages-*');
    this.#allow(fn, 'Put', 'pages-*');
  }

  grantFigures(fn: ServiceFunction): void {
    this.#allow(fn, 'Post', 'event*/_search', 'event-state/_mget');
  }

  grantEvents(fn: ServiceFunction): void {
    this.grantFigures(fn);
    this.#allow(fn, 'Post', '_bulk', 'event*/_refresh', 'event*/_delete_by_query');
    this.#allow(fn, 'Put', '_index_template/site-search-events', 'event-state');
    this.#allow(fn, 'Head', 'event-state');
    this.#allow(fn, 'Get', 'events-*/_alias');
    this.#allow(fn, 'Delete', 'events-*');
  }

  /** Allows requests of a method to paths of the domain. `*` also matches slashes. */
  #allow(fn: ServiceFunction, method: string, ...paths: readonly string[]): void {
    fn.allowPaths(this.domain, this.domain.domainArn, [`es:ESHttp${method}`], paths);
    fn.setVariables({ OPENSEARCH_URL: `https://${this.domain.domainEndpoint}` });
  }

  /**
   * Creates the index on deployment if one of this layout, embedding space and number of shards is missing, and starts
   * reindexing into it. Runs after `writers` are updated, so that they know the new space. Deletes no index.
   */
  createIndex(service: Service, writers: readonly IDependable[]): void {
    const creator = new ServiceFunction(this, 'create-index', service, {
      entry: 'workers/create-index',
      summary: 'Creates the index of the embedding space on deployment, and starts reindexing into it',
      timeout: CREATION_TIMEOUT,
    });
    const { nodes, shards } = service.settings.search;
    const index = new CustomResource(this, 'Index', {
      serviceToken: creator.functionArn,
      serviceTimeout: CREATION_TIMEOUT.plus(Duration.minutes(3)), // Lambda repeats a failed invocation
      // CloudFormation calls the function when one of these changes. It reads the first two.
      properties: {
        shards,
        replicas: nodes - 1,
        layout: MAPPING,
        space: embeddingSpace(service.settings),
        apiKeySecret: service.settings.embedding?.apiKeySecretArn,
      },
    });
    index.node.addDependency(...writers);
  }
}
