import * as z from 'zod';

/** Every environment variable of the service, but for those that AWS's SDK reads: region and credentials. */
export const Environment = z.object({
  OPENAI_API_KEY: z.string().optional(),
  /** The ARN of a secret in Secrets Manager that is the key, where the key itself should be in no environment. */
  OPENAI_API_KEY_SECRET: z.string().optional(),
  OPENAI_BASE_URL: z.url().optional(),
  EMBEDDING_MODEL: z.string().default('text-embedding-3-small'),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(1).max(4096).default(512),
  /** Comma list of `host` or `host:port` that may be crawled though their address is private. */
  CRAWL_ALLOW_HOSTS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== ''),
    )
    .refine(
      (hosts) => !/[/@?#\\*]/.test(hosts.join()),
      'hosts alone, such as localhost:3000: no scheme, no path, no *',
    ),
  /** Where the owner of a crawled website can ask or complain; part of the crawler's user agent. */
  CRAWL_CONTACT: z.string().max(200).optional(),
  /** Of the OpenSearch domain, or of any server that speaks its API. */
  OPENSEARCH_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The table in DynamoDB. */
  TABLE_NAME: z.string().optional(),
  /** A DynamoDB or S3 that answers here instead of the region's. */
  DYNAMODB_URL: z.url().optional(),
  S3_URL: z.url().optional(),
  /** What the URL of each queue of `messages.ts` begins with: its name follows, and `.fifo` if it is one. */
  QUEUE_URL_PREFIX: z.url().optional(),
  /** The bucket in S3 that holds the texts of pages. */
  PAGES_BUCKET: z.string().optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('warn'),
});
export type Environment = z.infer<typeof Environment>;
export type EnvName = keyof Environment;

function read(): Environment {
  // biome-ignore lint/style/noProcessEnv: the only reader
  const variables = Object.entries(process.env).filter(([, value]) => value !== ''); // set to nothing counts as absent
  const result = Environment.safeParse(Object.fromEntries(variables));
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not usable: ${faults.join('; ')}`);
}

/** Read once, at the start; all faults are told at once. */
export const env: Environment = read();
