import * as z from 'zod';

/** A variable that is set to nothing counts as absent. */
const blankIsAbsent = (value: unknown) => (value === '' ? undefined : value);
const optional = <T extends z.ZodType>(type: T) => z.preprocess(blankIsAbsent, type.optional());

/** Every environment variable of the service, but for those that AWS's SDK reads: region and credentials. */
export const Environment = z.object({
  OPENAI_API_KEY: optional(z.string()),
  /** The ARN of a secret in Secrets Manager that is the key, where the key itself should be in no environment. */
  OPENAI_API_KEY_SECRET: optional(z.string()),
  OPENAI_BASE_URL: optional(z.url()),
  EMBEDDING_MODEL: z.preprocess(blankIsAbsent, z.string().default('text-embedding-3-small')),
  EMBEDDING_DIMENSIONS: z.preprocess(blankIsAbsent, z.coerce.number().int().min(1).max(4096).default(512)),
  /** Comma list of `host` or `host:port` that may be crawled though their address is private. */
  CRAWL_ALLOW_HOSTS: z.preprocess(
    blankIsAbsent,
    z
      .string()
      .default('')
      .transform((list) =>
        list
          .split(',')
          .map((host) => host.trim())
          .filter((host) => host !== ''),
      ),
  ),
  /** Where the owner of a crawled website can ask or complain; part of the crawler's user agent. */
  CRAWL_CONTACT: optional(z.string().max(200)),
  /** Of the OpenSearch domain, or of any server that speaks its API. */
  OPENSEARCH_URL: optional(z.url({ protocol: /^https?$/ })),
  /** The table in DynamoDB. */
  TABLE_NAME: optional(z.string()),
  /** A DynamoDB or S3 that answers here instead of the region's. */
  DYNAMODB_URL: optional(z.url()),
  S3_URL: optional(z.url()),
  /** What the URL of each queue of `messages.ts` begins with: its name follows, and `.fifo` if it is one. */
  QUEUE_URL_PREFIX: optional(z.url()),
  /** The bucket in S3 that holds the texts of pages. */
  TEXTS_BUCKET: optional(z.string()),
  LOG_LEVEL: z.preprocess(blankIsAbsent, z.enum(['debug', 'info', 'warn', 'error']).default('warn')),
});
export type Environment = z.infer<typeof Environment>;
export type EnvName = keyof Environment;

function read(): Environment {
  // biome-ignore lint/style/noProcessEnv: the only reader
  const result = Environment.safeParse(process.env);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not usable: ${faults.join('; ')}`);
}

/** Read once, at the start; all faults are told at once. */
export const env: Environment = read();
