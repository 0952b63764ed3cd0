/** One call of an operation with its answer, for the OpenAPI document. Ids in the path are those of `IDS`. */
export type Example = {
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly body?: unknown;
  /** Absent for an answer without a body. */
  readonly response?: unknown;
  /** The same answer as server-sent events. */
  readonly events?: string;
};

/** The path parameters of all examples. The answers refer to the same records. */
export const IDS: Readonly<Record<string, string>> = {
  orgId: '0b7c2c0e-5a0f-4d52-9f0e-8f6c3f1f2a10',
  siteId: '3f1c9a52-7b1e-4c55-8f43-2f0f1c7b9d21',
  groupId: '7d0a4a61-90a3-4f0e-b1f7-6f2f4f7f5c32',
  jobId: 'a2e6d7f4-1c3b-4b8e-9d67-0c5e8a7b4e43',
  reviewId: 'c58b1f07-2d9c-46f1-8a3e-b7d46f2e6f54',
  webhookId: '5b0f7e1d-38c4-4f9a-a6d2-9e1c7b3f5a76',
  keyId: 'e91d3b8a-64f7-4a2c-bc05-51a9e0d38c65',
};

/** The 23rd of November 2026, 09:00 UTC. */
export const NOW = 1_795_424_400;
