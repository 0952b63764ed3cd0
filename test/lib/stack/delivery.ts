import { describe, expect, it } from '@jest/globals';
import type { Route } from '../../../lambdas/routes/route.ts';
import { routes } from '../../../lambdas/routes.ts';
import { resourceAt, resourcesOf } from '../readable-template.ts';
import { options } from '../synthesis.ts';
import { production, trial } from './templates.ts';

const config = resourceAt(production, 'Delivery/Distribution').Properties.DistributionConfig;
const { DefaultCacheBehavior, CacheBehaviors } = config;
/** The public paths of the API come before `/v1/*.js`, so no path of the API is a file. */
const [pagePaths, publicPaths] = CacheBehaviors;
const toGateway = [DefaultCacheBehavior, pagePaths, publicPaths];

describe('the edge', () => {
  it('caches answers to public GET requests for a minute, by everything that changes the answer', () => {
    expect(publicPaths).toMatchObject({
      PathPattern: '/v1/public/*',
      CachePolicyId: 'Delivery/PublicAnswers',
    });
    expect(resourceAt(production, 'Delivery/PublicAnswers').Properties.CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 60,
      ParametersInCacheKeyAndForwardedToOrigin: {
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
        QueryStringsConfig: {
          QueryStringBehavior: 'whitelist',
          QueryStrings: [
            ...['q', 'limit', 'minScore', 'offset', 'filters', 'facets'],
            ...['autocomplete', 'exact', 'sections'],
          ],
        },
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Authorization', 'x-effective-origin'] },
        CookiesConfig: { CookieBehavior: 'none' },
      },
    });
  });

  it('caches pages in addition by the header Accept, so that nobody gets Markdown instead of JSON', () => {
    expect(pagePaths).toMatchObject({
      PathPattern: '/v1/public/sites/*/page*',
      CachePolicyId: 'Delivery/PublicPages',
      OriginRequestPolicyId: publicPaths.OriginRequestPolicyId,
    });
    expect(resourceAt(production, 'Delivery/PublicPages').Properties.CachePolicyConfig).toMatchObject({
      MaxTTL: 60,
      ParametersInCacheKeyAndForwardedToOrigin: {
        QueryStringsConfig: { QueryStringBehavior: 'whitelist', QueryStrings: ['url'] },
        HeadersConfig: { Headers: ['Authorization', 'x-effective-origin', 'Accept'] },
      },
    });
  });

  it('caches nothing else of the API', () => {
    const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    expect(DefaultCacheBehavior.CachePolicyId).toBe(CACHING_DISABLED);
  });

  it('caches no error, and passes on the body of each', () => {
    const statuses = config.CustomErrorResponses.map(({ ErrorCode }: { readonly ErrorCode: number }) => ErrorCode);
    expect(statuses).toEqual([400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]);
    for (const response of config.CustomErrorResponses)
      expect(response).toEqual({ ErrorCode: expect.any(Number), ErrorCachingMinTTL: 0 });
  });

  it('accepts every method of the API, by HTTPS only, and runs its function first', () => {
    for (const behaviour of toGateway) {
      expect(behaviour).toMatchObject({
        ViewerProtocolPolicy: 'https-only',
        FunctionAssociations: [{ EventType: 'viewer-request', FunctionARN: 'Delivery/ViewerRequest.FunctionARN' }],
      });
      expect(behaviour.AllowedMethods).toHaveLength(7);
    }
  });

  it('sends security headers with every answer of the API', () => {
    for (const behaviour of toGateway) expect(behaviour.ResponseHeadersPolicyId).toBe('Delivery/SecurityHeaders');
    const headers = resourceAt(production, 'Delivery/SecurityHeaders').Properties.ResponseHeadersPolicyConfig;
    expect(headers.SecurityHeadersConfig).toEqual({
      StrictTransportSecurity: { AccessControlMaxAgeSec: 365 * 86_400, IncludeSubdomains: false, Override: true },
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: false },
    });
  });

  it('offers HTTP/2 and HTTP/3, under the domain and with the TLS of the settings', () => {
    expect(config).toMatchObject({
      HttpVersion: 'http2and3',
      Aliases: [options.domain.name],
      ViewerCertificate: {
        AcmCertificateArn: options.domain.certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
      },
    });
  });

  it('has CloudFront’s own domain without one in the settings', () => {
    const { DistributionConfig } = resourceAt(trial, 'Delivery/Distribution').Properties;
    expect(DistributionConfig).not.toHaveProperty('Aliases');
    expect(DistributionConfig).not.toHaveProperty('ViewerCertificate');
  });

  it('reaches the gateway by TLS 1.2, with the edge’s key, which is in no template', () => {
    const origin = config.Origins.find(({ Id }: { readonly Id: string }) => Id === publicPaths.TargetOriginId);
    expect(origin).toMatchObject({
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      OriginCustomHeaders: [
        { HeaderName: 'x-api-key', HeaderValue: '{{resolve:secretsmanager:Api/EdgeKey:SecretString:::}}' },
      ],
    });
    for (const { TargetOriginId } of toGateway) expect(TargetOriginId).toBe(origin.Id);
  });

  it.each([
    ['a trial', trial],
    ['production', production],
  ])(
    'of %s forwards every header but Host, and to cached paths no query parameter outside the cache key',
    (_, stage) => {
      const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
      const { DistributionConfig } = resourceAt(stage, 'Delivery/Distribution').Properties;
      expect(DistributionConfig.DefaultCacheBehavior.OriginRequestPolicyId).toBe(ALL_VIEWER_EXCEPT_HOST_HEADER);
      const { OriginRequestPolicyId } = DistributionConfig.CacheBehaviors[0];
      expect(resourceAt(stage, OriginRequestPolicyId).Properties.OriginRequestPolicyConfig).toMatchObject({
        HeadersConfig: { HeaderBehavior: 'allExcept', Headers: ['Host'] },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        CookiesConfig: { CookieBehavior: 'none' },
      });
    },
  );

  it('has in its cache key every query parameter of the public operations', () => {
    const policies = ['Delivery/PublicAnswers', 'Delivery/PublicPages'].map(
      (path) =>
        resourceAt(production, path).Properties.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin
          .QueryStringsConfig.QueryStrings as readonly string[],
    );
    const open: readonly Route[] = Object.values<Route>(routes).filter(({ access }) => 'feature' in access);
    const named = open.flatMap(({ query }) => Object.keys(query?.shape ?? {}));
    expect(new Set(named)).toEqual(new Set(policies.flat()));
    for (const names of policies) expect(names.length).toBeLessThanOrEqual(10); // the quota of a cache policy
  });
});

describe('the logs of the edge', () => {
  it('are delivered to a private bucket without cookies, announced to their queue, and deleted after a day', () => {
    expect(config.Logging).toEqual({ Bucket: 'EdgeLogs/Bucket.RegionalDomainName', IncludeCookies: false });
    const { Properties } = resourceAt(production, 'EdgeLogs/Bucket');
    expect(Properties).toMatchObject({
      NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 1, Status: 'Enabled' }] },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] },
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
    });
    expect(resourceAt(production, 'EdgeLogs/NewFile').Properties).toMatchObject({
      EventPattern: { source: ['aws.s3'], 'detail-type': ['Object Created'] },
      Targets: [{ Arn: 'Messaging/edge-logs.Arn' }],
    });
  });
});

describe('the events of visitors', () => {
  it('go from the logs of the functions that write them to one worker', () => {
    const subscriptions = resourcesOf(production, 'AWS::Logs::SubscriptionFilter').map(
      ([, { Properties }]) => Properties,
    );
    expect(subscriptions.map(({ LogGroupName }) => LogGroupName).toSorted()).toEqual(
      [
        ...['call-group-mcp', 'call-site-mcp', 'chat-with-group', 'chat-with-site', 'record-event'],
        ...['search-group', 'search-group-by-post', 'search-site', 'search-site-by-post'],
      ]
        .map((name) => `Api/${name}-log`)
        .toSorted(),
    );
    for (const { DestinationArn, FilterPattern } of subscriptions)
      expect([DestinationArn, FilterPattern]).toEqual(['Workers/collect-events.Arn', '{ $.event.id = "*" }']);
  });
});
