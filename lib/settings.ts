import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export type Settings = {
  /**
   * A name of your own, with its certificate, which must lie in us-east-1.
   * @default the name that CloudFront gives
   */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** The machines that hold the index. Three stand in three zones, each with a whole copy; one has none to fall back on. */
  readonly search: {
    readonly instanceType: `${string}.search`;
    readonly nodes: 1 | 3;
    readonly gibibytesPerNode: number;
    /** Parts of a new index, worked side by side; an index keeps those that it was created with. */
    readonly shards: number;
  };
  /**
   * A model behind an API like OpenAI's, whose key is the text of a secret in this account. Another model is another index.
   * @default the table of vectors that comes with the service, which knows English best
   */
  readonly embedding?: {
    readonly model: string;
    readonly dimensions: number;
    /** The whole ARN, with the six characters at its end. */
    readonly apiKeySecretArn: string;
    /** @default https://api.openai.com/v1 */
    readonly baseUrl?: string;
  };
  /** How many sites are crawled at once, 2 to 1,000; others wait. */
  readonly crawlsAtOnce: number;
  readonly logRetention: RetentionDays;
  /** Whether deleting the stack leaves the search domain too, which goes on costing. Table and texts always stay. */
  readonly keepIndex: boolean;
  /**
   * A mail address or page where the owner of a crawled website can ask or complain.
   * @default none
   */
  readonly crawlContact?: string;
  /**
   * Where alarms are sent.
   * @default alarms are only shown in CloudWatch
   */
  readonly alarmMail?: string;
};

export type Stage = 'trial' | 'production';

export const settings: Readonly<Record<Stage, Settings>> = {
  /** The least that works: to try the service with a site or two. */
  trial: {
    search: { instanceType: 't3.small.search', nodes: 1, gibibytesPerNode: 10, shards: 1 },
    crawlsAtOnce: 2,
    logRetention: RetentionDays.ONE_WEEK,
    keepIndex: false,
  },
  /** Survives the loss of a zone. */
  production: {
    search: { instanceType: 'r6g.large.search', nodes: 3, gibibytesPerNode: 50, shards: 3 },
    crawlsAtOnce: 20,
    logRetention: RetentionDays.THREE_MONTHS,
    keepIndex: true,
  },
};
