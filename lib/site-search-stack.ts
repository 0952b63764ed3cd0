import { CfnOutput, type Environment, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import { buildBundle } from './bundle.ts';
import { CostGuards } from './cost-guards.ts';
import { Delivery } from './delivery.ts';
import { EdgeLogs } from './edge-logs.ts';
import { grantChatModel, grantEmbedding } from './embedding.ts';
import { Messaging } from './messaging.ts';
import { Monitoring } from './monitoring.ts';
import { resourceNames } from './resource-names.ts';
import { Scheduling } from './scheduling.ts';
import { SearchIndex } from './search-index.ts';
import { codeOf, type Service } from './service-function.ts';
import type { Settings } from './settings.ts';
import { Storage } from './storage.ts';
import { WebFiles } from './web-files.ts';
import { Workers } from './workers.ts';

export type SiteSearchStackProps = {
  readonly settings: Settings;
  /** The folder of the files for browsers (`buildWeb`), whose name tells builds apart. */
  readonly webFolder: string;
  /**
   * The account and region. With them, buckets have names of text instead of tokens: CloudFormation imports only such
   * buckets into a new stack.
   * @default unknown
   */
  readonly env?: Required<Environment>;
};

/** The whole service, in one region of one account. */
export class SiteSearchStack extends Stack {
  constructor(scope: Construct, stackName: string, { settings, webFolder, env }: SiteSearchStackProps) {
    super(scope, stackName, {
      description: 'Site search: crawls websites and searches them by words and by meaning',
      terminationProtection: settings.protectData ?? false,
      tags: { service: stackName },
      env: { ...env, ...(settings.account !== undefined && { account: settings.account }) },
    });
    const names = resourceNames(this.stackName);
    const storage = new Storage(this, 'Storage', {
      tableName: names.table,
      isProtected: settings.protectData ?? false,
    });
    const searchIndex = new SearchIndex(this, 'SearchIndex', { domainName: names.searchDomain, settings });
    const messaging = new Messaging(this, 'Messaging', { queuePrefix: names.queuePrefix });
    const scheduling = new Scheduling(this, 'Scheduling', { groupName: names.scheduleGroup, messaging });
    const edgeLogs = new EdgeLogs(this, 'EdgeLogs', { bucketPrefix: names.table, messaging });
    const webFiles = new WebFiles(this, 'WebFiles');
    const bundle = buildBundle();
    const service: Service = {
      bundle,
      code: codeOf(bundle, webFolder),
      settings,
      grants: {
        'table-reader': (fn) => storage.grantTableReader(fn),
        table: (fn, entry) => storage.grantTable(fn, entry),
        'page-store-reader': (fn) => storage.grantPageReader(fn),
        'page-store': (fn) => storage.grantPages(fn),
        'index-reader': (fn) => searchIndex.grantSearch(fn),
        'page-index': (fn) => searchIndex.grantPages(fn),
        'index-moves': (fn) => searchIndex.grantMoves(fn),
        'index-admin': (fn) => searchIndex.grantCreation(fn),
        'event-reader': (fn) => searchIndex.grantFigures(fn),
        'event-log': (fn) => searchIndex.grantEvents(fn),
        timetable: (fn) => scheduling.grant(fn),
        embedder: (fn) => grantEmbedding(fn, settings),
        'event-sink': (fn) => workers.collectEventsOf(fn),
        'edge-logs': (fn) => edgeLogs.grant(fn),
        'web-files': (fn) => webFiles.grant(fn),
        'chat-model': (fn) => grantChatModel(fn, settings),
        'page-renderer': () => {}, // a browser needs no permission
      },
      grantSend: (fn, queues) => messaging.grantSend(fn, queues),
    };
    const workers = new Workers(this, 'Workers', { messaging, service });
    const api = new Api(this, 'Api', { service });
    searchIndex.createIndex(service, [...workers.functions.values(), ...api.functions.values()]);
    webFiles.publish(service, webFolder);
    const { distribution } = new Delivery(this, 'Delivery', {
      gateway: api.gateway,
      edgeKey: api.edgeKey,
      logs: edgeLogs.files,
      webFiles: webFiles.bucket,
      settings,
    });
    new CostGuards(this, 'Spending', { gateway: api.gateway, edgeKey: api.edgeKey, settings });
    new Monitoring(this, 'Monitoring', { storage, searchIndex, messaging, workers, api, settings });

    const address = `https://${settings.domain?.name ?? distribution.distributionDomainName}`;
    new CfnOutput(this, 'BaseUrl', { value: `${address}/api`, description: 'for clients with an API key' });
    new CfnOutput(this, 'PublicUrl', {
      value: `${address}/v1`,
      description: 'for visitors of a website, without a key',
    });
    new CfnOutput(this, 'PageUrl', {
      value: `${address}/`,
      description: 'the search page; /app is the dashboard and /docs the API reference',
    });
    if (settings.domain) {
      const description = `target of the DNS record of ${settings.domain.name}`;
      new CfnOutput(this, 'EdgeName', { value: distribution.distributionDomainName, description });
    }
  }
}
