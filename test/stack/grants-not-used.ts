type NotUsed = {
  readonly pattern: RegExp;
  readonly reason: string;
  /** Its use depends on which of two functions comes first. */
  readonly isSometimesUsed?: true;
};

/** Actions on resources that roles have and none uses in the tests. The text is `action resource`. */
export const ACTIONS_NOT_USED: readonly NotUsed[] = [
  {
    pattern: /^sqs:(GetQueueUrl|ChangeMessageVisibility) /,
    reason: 'CDK gives them to every function with a queue, for Lambda itself',
  },
  {
    pattern: /^es:ESHttpDelete \S+\/events-\*$/,
    reason: 'Deletes an index of events when its last day is older than events are kept',
  },
  {
    pattern: /^s3:ListBucket \S+-edge-logs-/,
    reason: 'Makes a log file that is not there 404 instead of 403, when its message is delivered again',
  },
];

/**
 * Statements of which a function uses nothing in the tests. A port is granted as a whole to each function whose code
 * imports it (docs/decisions/004-permissions.md). The text is `function actions resources partitions`.
 */
export const STATEMENTS_NOT_USED: readonly NotUsed[] = [
  {
    pattern: /^(Workers|SearchIndex)\S+ dynamodb:\S+ \S+ RATE#/,
    reason: 'Notes, such as what a model has cost, come with every access to the table. Only endpoints count calls',
  },
  {
    pattern: / s3:ListBucket /,
    reason: 'Makes an object that is not there 404 instead of 403',
  },
  {
    pattern: /^(Workersstartscheduled|Workerscleanupsite|Apideleteschedule) (scheduler:|iam:PassRole)/,
    reason: 'Of the timetable they only remove a schedule, or one whose site is gone',
  },
  {
    pattern: /^(Workerscleanupsite|Workersappendevents|Workersexpireevents) es:ESHttp(Get|Delete) /,
    reason: 'Of the event log: only indices that are older than events are kept are listed and deleted',
  },
  {
    pattern: /^Workersenrichpages sqs:SendMessage /,
    reason: 'Sends its message again only while the model is away, or if another function changed the page meanwhile',
    isSometimesUsed: true,
  },
  {
    pattern: /^Workers(embedpages|enrichpages) (dynamodb|s3|es):/,
    reason: 'Both add to the same pages after an outage: the first of them leaves the other less to do',
    isSometimesUsed: true,
  },
  {
    pattern: /^Workerswatchdog /,
    reason: 'It finishes what others have left undone. Here nothing was; test/domain has those cases',
    isSometimesUsed: true,
  },
  {
    pattern: /^Apicallownermcp /,
    reason: 'A tool runs the code of its endpoint, whose own function uses the same statements in these tests',
  },
  {
    pattern: /^Api(callsitemcp|callgroupmcp|previewsearch) dynamodb:\S+ \S+ \S*CHAT#/,
    reason: 'Answers of a model are kept for the next question, which needs a provider. They have no sessions',
  },
  {
    pattern: /^Apilistcontentgaps dynamodb:\S+ \S+ VECTOR#/,
    reason: 'Writes the vectors of queries to the cache only with a provider',
  },
];
