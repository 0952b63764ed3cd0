import * as z from 'zod';
import type { DeployedTemplate } from '../template/deployed-template.ts';
import { type AddedHeader, addedHeadersOf } from './response-headers.ts';

const Behavior = z.strictObject({
  PathPattern: z.string().optional(),
  AllowedMethods: z.array(z.string()),
  CachePolicyId: z.string(),
  Compress: z.literal(true),
  FunctionAssociations: z
    .tuple([z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() })])
    .optional(),
  OriginRequestPolicyId: z.string().optional(),
  ResponseHeadersPolicyId: z.string(),
  TargetOriginId: z.string(),
  ViewerProtocolPolicy: z.enum(['https-only', 'redirect-to-https']),
});
const GatewayOrigin = z.object({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: z.string(),
  OriginCustomHeaders: z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: z.string() })),
});
/** A bucket that is read with signed requests. */
const BucketOrigin = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginAccessControlId: z.string(),
  S3OriginConfig: z.strictObject({ OriginAccessIdentity: z.literal('') }),
});
const SignedAccess = z.object({
  OriginAccessControlConfig: z.object({
    OriginAccessControlOriginType: z.literal('s3'),
    SigningBehavior: z.literal('always'),
    SigningProtocol: z.literal('sigv4'),
  }),
});
const Config = z.object({
  DistributionConfig: z.object({
    DefaultCacheBehavior: Behavior,
    CacheBehaviors: z.array(Behavior.extend({ PathPattern: z.string() })),
    CustomErrorResponses: z.array(z.strictObject({ ErrorCode: z.number(), ErrorCachingMinTTL: z.literal(0) })),
    DefaultRootObject: z.literal('index.html'),
    Origins: z.array(z.union([GatewayOrigin, BucketOrigin])),
  }),
});
const Key = z.strictObject({
  CookiesConfig: z.strictObject({ CookieBehavior: z.literal('none') }),
  EnableAcceptEncodingBrotli: z.boolean(),
  EnableAcceptEncodingGzip: z.boolean(),
  HeadersConfig: z.strictObject({ HeaderBehavior: z.literal('whitelist'), Headers: z.array(z.string()) }),
  QueryStringsConfig: z.strictObject({
    QueryStringBehavior: z.literal('whitelist'),
    QueryStrings: z.array(z.string()),
  }),
});
const CachePolicy = z.object({
  CachePolicyConfig: z.object({
    MinTTL: z.literal(0),
    DefaultTTL: z.literal(0),
    MaxTTL: z.number(),
    ParametersInCacheKeyAndForwardedToOrigin: Key,
  }),
});
/** All headers but `Host`, and of the query what is in the cache key alone. */
const KeyedParameters = z.object({
  OriginRequestPolicyConfig: z.object({
    CookiesConfig: z.strictObject({ CookieBehavior: z.literal('none') }),
    HeadersConfig: z.strictObject({ HeaderBehavior: z.literal('allExcept'), Headers: z.tuple([z.literal('Host')]) }),
    QueryStringsConfig: z.strictObject({ QueryStringBehavior: z.literal('none') }),
  }),
});
/** The policies of AWS that templates name by fixed ids. */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
const OPTIMIZED: CacheRules = {
  minSeconds: 1,
  maxSeconds: 31_536_000,
  headers: [],
  queryNames: [],
  encodings: ['br', 'gzip'],
};

export type CacheRules = {
  readonly minSeconds: number;
  readonly maxSeconds: number;
  readonly headers: readonly string[];
  readonly queryNames: readonly string[];
  readonly encodings: readonly string[];
};
export type GatewaySettings = z.infer<typeof GatewayOrigin>;
export type Origin =
  | { readonly kind: 'gateway'; readonly settings: GatewaySettings }
  | { readonly kind: 'bucket'; readonly host: string };
export type Behavior = {
  readonly pattern: string;
  readonly allowedMethods: readonly string[];
  /** Undefined: nothing is cached. */
  readonly cache: CacheRules | undefined;
  /** Whether the origin gets query parameters that are not in the cache key. */
  readonly forwardsQuery: boolean;
  /** Undefined: no function changes the request. */
  readonly functionCode: string | undefined;
  readonly addedHeaders: readonly AddedHeader[];
  readonly origin: Origin;
};
export type Distribution = {
  readonly behaviors: readonly Behavior[];
  readonly uncachedErrors: ReadonlySet<number>;
};

/** The distribution of a template, in the order in which its behaviors are tried. */
export function distributionOf(template: DeployedTemplate): Distribution {
  const [found] = template.ofType('AWS::CloudFront::Distribution');
  const { DistributionConfig: config } = Config.parse(found?.properties);
  const originOf = (id: string): Origin => {
    const origin = config.Origins.find(({ Id }) => Id === id);
    if (!origin) throw new Error(`The distribution has no origin ${id}`);
    if (!('OriginAccessControlId' in origin)) return { kind: 'gateway', settings: origin };
    SignedAccess.parse(byId(template, origin.OriginAccessControlId));
    return { kind: 'bucket', host: origin.DomainName };
  };
  const behaviors = [...config.CacheBehaviors, config.DefaultCacheBehavior];
  return {
    behaviors: behaviors.map((each) => ({ ...behaviorOf(each, template), origin: originOf(each.TargetOriginId) })),
    uncachedErrors: new Set(config.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)),
  };
}

function behaviorOf(behavior: z.infer<typeof Behavior>, template: DeployedTemplate): Omit<Behavior, 'origin'> {
  const { OriginRequestPolicyId: requestPolicy } = behavior;
  const forwardsQuery = requestPolicy === ALL_VIEWER_EXCEPT_HOST_HEADER;
  if (!forwardsQuery && requestPolicy !== undefined) KeyedParameters.parse(byRef(template, requestPolicy));
  return {
    pattern: behavior.PathPattern ?? '*',
    allowedMethods: behavior.AllowedMethods,
    cache: cacheOf(behavior.CachePolicyId, template),
    forwardsQuery,
    functionCode: functionCodeOf(behavior, template),
    addedHeaders: addedHeadersOf(byRef(template, behavior.ResponseHeadersPolicyId)),
  };
}

function functionCodeOf(
  { FunctionAssociations: associations }: z.infer<typeof Behavior>,
  template: DeployedTemplate,
): string | undefined {
  if (!associations) return undefined;
  const [{ FunctionARN: arn }] = associations;
  const edgeFunction = template
    .ofType('AWS::CloudFront::Function')
    .find(({ attributes }) => attributes.FunctionARN === arn);
  return z.string().parse(edgeFunction?.properties.FunctionCode);
}

function cacheOf(id: string, template: DeployedTemplate): CacheRules | undefined {
  if (id === CACHING_DISABLED) return undefined;
  if (id === CACHING_OPTIMIZED) return OPTIMIZED;
  const { CachePolicyConfig: config } = CachePolicy.parse(byRef(template, id));
  const key = config.ParametersInCacheKeyAndForwardedToOrigin;
  return {
    minSeconds: config.MinTTL,
    maxSeconds: config.MaxTTL,
    headers: key.HeadersConfig.Headers.map((name) => name.toLowerCase()),
    queryNames: key.QueryStringsConfig.QueryStrings,
    encodings: [...(key.EnableAcceptEncodingBrotli ? ['br'] : []), ...(key.EnableAcceptEncodingGzip ? ['gzip'] : [])],
  };
}

const byRef = (template: DeployedTemplate, ref: string): unknown =>
  [...template.resources.values()].find((each) => each.ref === ref)?.properties;

const byId = (template: DeployedTemplate, id: string): unknown =>
  [...template.resources.values()].find((each) => each.attributes.Id === id)?.properties;
