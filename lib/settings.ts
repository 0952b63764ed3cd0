import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export type Settings = {
  /** A domain and its certificate, which must be in us-east-1. @default the domain that CloudFront assigns */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** The search domain. Three nodes are in three zones, each with a full copy. A single node has no replica. */
  readonly search: {
    readonly instanceType: `${string}.search`;
    readonly nodes: 1 | 3;
    readonly gibibytesPerNode: number;
    /** The number of shards of a new index. It is fixed once the index is created. */
    readonly shards: number;
  };
  /**
   * A model of an OpenAI-compatible API, whose key is the text of a secret. A new model requires reindexing.
   * @default the built-in embedder, which is best for English
   */
  readonly embedding?: {
    readonly model: string;
    readonly dimensions: number;
    /** The full ARN of the secret, including the six-character suffix. */
    readonly apiKeySecretArn: string;
    /** @default https://api.openai.com/v1 */
    readonly baseUrl?: string;
    /** A model of the same API that writes answers. @default answers are quoted from the pages */
    readonly chatModel?: string;
  };
  /** The number of sites crawled at once, 2 to 1,000. Further crawls wait. */
  readonly crawlsAtOnce: number;
  /** The account's quota of Lambda (Service Quotas, "Concurrent executions"). A new account has 10. */
  readonly concurrentExecutions: number;
  /**
   * The calls per second that the gateway admits, of all callers together. Answers from the edge's cache do not count.
   */
  readonly throttle: { readonly callsPerSecond: number; readonly burst: number };
  /** Blocks addresses with more calls (at least 10). AWS charges for it. @default the limits of the API alone */
  readonly firewall?: { readonly callsPerFiveMinutes: number };
  /**
   * Sends mail when the account has spent 80 % of the budget, and when it is forecast to exceed it. @default no budget
   */
  readonly budget?: { readonly dollarsPerMonth: number; readonly mail: string };
  /**
   * The id of the account, so that the stage is not deployed with another profile by mistake. @default that of the
   * profile
   */
  readonly account?: string;
  readonly logRetention: RetentionDays;
  /** Whether deleting the stack retains the search domain, at its full price. Table and buckets are always retained. */
  readonly keepIndex: boolean;
  /**
   * Protects the stack and its table from deletion. Set it for the second deployment: a first one that fails could not
   * be undone.
   * @default false
   */
  readonly protectData?: boolean;
  /** An email address or page for owners of crawled websites. It is part of the user agent. @default none */
  readonly crawlContact?: string;
  /** The email address for alarms. @default alarms only appear in CloudWatch */
  readonly alarmMail?: string;
};

export type Stage = 'trial' | 'production';

export const settings: Readonly<Record<Stage, Settings>> = {
  /** The smallest stage that works, to try the service with a site or two. */
  trial: {
    search: { instanceType: 't3.small.search', nodes: 1, gibibytesPerNode: 10, shards: 1 },
    crawlsAtOnce: 2,
    concurrentExecutions: 10,
    throttle: { callsPerSecond: 20, burst: 100 },
    logRetention: RetentionDays.ONE_WEEK,
    keepIndex: false,
  },
  /** A stage that survives the loss of an availability zone. */
  production: {
    search: { instanceType: 'r6g.large.search', nodes: 3, gibibytesPerNode: 50, shards: 3 },
    crawlsAtOnce: 20,
    concurrentExecutions: 1000,
    throttle: { callsPerSecond: 200, burst: 500 },
    logRetention: RetentionDays.THREE_MONTHS,
    keepIndex: true,
  },
};
