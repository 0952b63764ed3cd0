import * as z from 'zod';
import type { DeployedTemplate } from '../template/deployed-template.ts';

const Behavior = z.strictObject({
  PathPattern: z.string().optional(),
  AllowedMethods: z.array(z.string()),
  CachePolicyId: z.string(),
  Compress: z.literal(true),
  FunctionAssociations: z.tuple([z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() })]),
  OriginRequestPolicyId: z.string(),
  ResponseHeadersPolicyId: z.string(),
  TargetOriginId: z.string(),
  ViewerProtocolPolicy: z.literal('https-only'),
});
const Origin = z.object({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: z.string(),
  OriginCustomHeaders: z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: z.string() })),
});
const Config = z.object({
  DistributionConfig: z.object({
    DefaultCacheBehavior: Behavior,
    CacheBehaviors: z.array(Behavior.extend({ PathPattern: z.string() })),
    CustomErrorResponses: z.array(z.strictObject({ ErrorCode: z.number(), ErrorCachingMinTTL: z.literal(0) })),
    Origins: z.tuple([Origin]),
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
const SecurityHeaders = z.object({
  ResponseHeadersPolicyConfig: z.object({
    SecurityHeadersConfig: z.strictObject({
      ContentTypeOptions: z.strictObject({ Override: z.boolean() }),
      ReferrerPolicy: z.strictObject({ Override: z.boolean(), ReferrerPolicy: z.string() }),
      StrictTransportSecurity: z.strictObject({
        AccessControlMaxAgeSec: z.number(),
        IncludeSubdomains: z.literal(false),
        Override: z.boolean(),
      }),
    }),
  }),
});

/** The policies of AWS that templates name by fixed ids. */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

export type CacheRules = {
  readonly maxSeconds: number;
  readonly headers: readonly string[];
  readonly queryNames: readonly string[];
  readonly encodings: readonly string[];
};
export type SecurityHeader = { readonly name: string; readonly value: string; readonly overrides: boolean };
export type Behavior = {
  readonly pattern: string;
  readonly allowedMethods: readonly string[];
  /** Undefined: nothing is cached. */
  readonly cache: CacheRules | undefined;
  /** Whether the origin gets query parameters that are not in the cache key. */
  readonly forwardsQuery: boolean;
  readonly functionCode: string;
  readonly securityHeaders: readonly SecurityHeader[];
};
export type Distribution = {
  readonly behaviors: readonly Behavior[];
  readonly origin: z.infer<typeof Origin>;
  readonly uncachedErrors: ReadonlySet<number>;
};

/** The distribution of a template, in the order in which its behaviors are tried. */
export function distributionOf(template: DeployedTemplate): Distribution {
  const [found] = template.ofType('AWS::CloudFront::Distribution');
  const { DistributionConfig: config } = Config.parse(found?.properties);
  return {
    behaviors: [...config.CacheBehaviors, config.DefaultCacheBehavior].map((each) => behaviorOf(each, template)),
    origin: config.Origins[0],
    uncachedErrors: new Set(config.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)),
  };
}

function behaviorOf(behavior: z.infer<typeof Behavior>, template: DeployedTemplate): Behavior {
  const forwardsQuery = behavior.OriginRequestPolicyId === ALL_VIEWER_EXCEPT_HOST_HEADER;
  if (!forwardsQuery) KeyedParameters.parse(byRef(template, behavior.OriginRequestPolicyId));
  const [association] = behavior.FunctionAssociations;
  const edgeFunction = template
    .ofType('AWS::CloudFront::Function')
    .find(({ attributes }) => attributes.FunctionARN === association.FunctionARN);
  return {
    pattern: behavior.PathPattern ?? '*',
    allowedMethods: behavior.AllowedMethods,
    cache: cacheOf(behavior.CachePolicyId, template),
    forwardsQuery,
    functionCode: z.string().parse(edgeFunction?.properties.FunctionCode),
    securityHeaders: securityHeadersOf(byRef(template, behavior.ResponseHeadersPolicyId)),
  };
}

function cacheOf(id: string, template: DeployedTemplate): CacheRules | undefined {
  if (id === CACHING_DISABLED) return undefined;
  const { CachePolicyConfig: config } = CachePolicy.parse(byRef(template, id));
  const key = config.ParametersInCacheKeyAndForwardedToOrigin;
  return {
    maxSeconds: config.MaxTTL,
    headers: key.HeadersConfig.Headers.map((name) => name.toLowerCase()),
    queryNames: key.QueryStringsConfig.QueryStrings,
    encodings: [...(key.EnableAcceptEncodingBrotli ? ['br'] : []), ...(key.EnableAcceptEncodingGzip ? ['gzip'] : [])],
  };
}

function securityHeadersOf(properties: unknown): readonly SecurityHeader[] {
  const { SecurityHeadersConfig: config } = SecurityHeaders.parse(properties).ResponseHeadersPolicyConfig;
  const { ContentTypeOptions: type, ReferrerPolicy: referrer, StrictTransportSecurity: transport } = config;
  return [
    { name: 'x-content-type-options', value: 'nosniff', overrides: type.Override },
    { name: 'referrer-policy', value: referrer.ReferrerPolicy, overrides: referrer.Override },
    {
      name: 'strict-transport-security',
      value: `max-age=${transport.AccessControlMaxAgeSec}`,
      overrides: transport.Override,
    },
  ];
}

const byRef = (template: DeployedTemplate, ref: string): unknown =>
  [...template.resources.values()].find((each) => each.ref === ref)?.properties;
