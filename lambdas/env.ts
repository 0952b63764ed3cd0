import { BlockList, isIP } from 'node:net';
import * as z from 'zod';
import { DEFAULT_LIMITS } from './domain/sites/limits/limit.ts';

const perMinute = (byDefault: number) => z.coerce.number().int().min(1).max(1_000_000).default(byDefault);

const commaList = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

const hostList = commaList.refine(
  (hosts) => !/[/@?#\\*]/.test(hosts.join()),
  'must be hosts such as localhost:3000, without a scheme, a path or *',
);

/** Parses addresses and ranges such as `10.0.0.0/8`. Returns undefined if one is invalid. */
function addressList(entries: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    if (isIP(address) === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
      return undefined;
    list.addSubnet(address, Number(bits ?? most), family);
  }
  return list;
}

const isOrigin = (url: string): boolean => URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/`;

/** Every environment variable of the service, except those that the AWS SDK reads (region, credentials). */
export const Environment = z.object({
  OPENAI_API_KEY: z.string().optional(),
  /** The ARN of a secret in Secrets Manager that holds OPENAI_API_KEY. */
  OPENAI_API_KEY_SECRET: z.string().optional(),
  OPENAI_BASE_URL: z.url().optional(),
  EMBEDDING_MODEL: z.string().default('text-embedding-3-small'),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(1).max(4096).default(512),
  /** The model of the same API that writes answers and summaries. `none` means that the API only embeds. */
  CHAT_MODEL: z.string().default('gpt-4.1-mini'),
  /** Comma-separated `host` or `host:port` that may be crawled although the address is private. */
  CRAWL_ALLOW_HOSTS: hostList,
  /**
   * Comma-separated `host` or `host:port` that may receive webhooks of all organisations although the address is
   * private.
   */
  WEBHOOK_ALLOW_HOSTS: hostList,
  /** A URL or address for owners of crawled websites. It is part of the crawler's user agent. */
  CRAWL_CONTACT: z.string().max(200).optional(),
  /** Set by Lambda. */
  AWS_LAMBDA_FUNCTION_NAME: z.string().optional(),
  /** The path of the browser for sites with `javascriptEnabled`. */
  CHROMIUM_PATH: z.string().optional(),
  /** With `required`, pages are read without a browser rather than by a browser without a sandbox. */
  CHROMIUM_SANDBOX: z.enum(['auto', 'required']).default('auto'),
  OPENSEARCH_URL: z.url({ protocol: /^https?$/ }).optional(),
  TABLE_NAME: z.string().optional(),
  /** Endpoints that replace those of the AWS region. */
  DYNAMODB_URL: z.url().optional(),
  S3_URL: z.url().optional(),
  SCHEDULER_URL: z.url().optional(),
  /** A queue's URL is this prefix, the queue's name in `messages.ts`, and `.fifo` for a FIFO queue. */
  QUEUE_URL_PREFIX: z.url().optional(),
  PAGES_BUCKET: z.string().optional(),
  EDGE_LOGS_BUCKET: z.string().optional(),
  /** The group of EventBridge schedules, the role with which they send, and the queue to which they send. */
  SCHEDULE_GROUP: z.string().optional(),
  SCHEDULE_ROLE_ARN: z.string().optional(),
  STARTS_QUEUE_ARN: z.string().optional(),
  /**
   * Default limits of calls per minute for each address and each key. Sites and groups can set others for their
   * visitors.
   */
  SEARCH_PER_MINUTE_PER_IP: perMinute(DEFAULT_LIMITS.searchPerAddress),
  CHAT_PER_MINUTE_PER_IP: perMinute(DEFAULT_LIMITS.chatPerAddress),
  /** The highest limit for one address that a site or group may set. */
  MAX_PER_MINUTE_PER_IP: perMinute(DEFAULT_LIMITS.mostPerAddress),
  API_PER_MINUTE: perMinute(DEFAULT_LIMITS.perKey),
  INGEST_PER_MINUTE: perMinute(DEFAULT_LIMITS.ingestPerKey),
  /** Settings of a server. The options of `npm start` override the first two. */
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8787),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin, 'must be an address such as https://search.example.com, without a path')
    .optional(),
  /** Comma-separated addresses and ranges of reverse proxies whose `X-Forwarded-For` is trusted. */
  TRUST_PROXY: commaList.transform((entries, context) => {
    const message = 'must be IP addresses or ranges such as 127.0.0.1, 10.0.0.0/8';
    const addresses = addressList(entries);
    if (!addresses) context.issues.push({ code: 'custom', message, input: entries });
    return addresses ?? z.NEVER;
  }),
  LOG_FORMAT: z.enum(['text', 'json']).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('warn'),
});
export type Environment = z.infer<typeof Environment>;
export type EnvName = keyof Environment;

function read(): Environment {
  // biome-ignore lint/style/noProcessEnv: the only reader
  const variables = Object.entries(process.env).filter(([, value]) => value !== ''); // an empty value counts as absent
  const result = Environment.safeParse(Object.fromEntries(variables));
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Invalid environment variables: ${faults.join('; ')}`);
}

/** The environment, read once at start. The error of an invalid one names all faults. */
export const env: Environment = read();
