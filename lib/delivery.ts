import { fileURLToPath } from 'node:url';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Aws, Duration, type SecretValue, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Route } from '../lambdas/routes/route.ts';
import { routes } from '../lambdas/routes.ts';
import type { Settings } from './settings.ts';
import { WebDelivery } from './web-delivery.ts';

export type DeliveryProps = {
  readonly gateway: RestApiBase;
  readonly edgeKey: SecretValue;
  readonly logs: IBucket;
  /** The bucket of the files for browsers. */
  readonly webFiles: IBucket;
  readonly settings: Settings;
};

const VIEWER_REQUEST = fileURLToPath(new URL('./edge/viewer-request.js', import.meta.url));
/**
 * Statuses of errors, which CloudFront caches for ten seconds unless they are listed. The API's own body is sent with
 * each.
 */
const UNCACHED_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** The public GET operations. Their query parameters are part of the cache key. */
const cacheable: readonly Route[] = (Object.values(routes) as readonly Route[]).filter(
  ({ access, method }) => 'feature' in access && method === 'get',
);
/** Operations whose answer also depends on the header Accept. Their paths have a behavior of their own. */
const [negotiated, others] = [true, false].map((is) =>
  cacheable.filter((route) => (route.alsoMarkdown ?? false) === is),
);

const queryNamesOf = (operations: readonly Route[] = []): readonly string[] => [
  ...new Set(operations.flatMap(({ query }) => Object.keys(query?.shape ?? {}))),
];

/**
 * The service's public address. Of the API it caches answers to public GET requests for at most a minute, and nothing
 * else.
 */
export class Delivery extends Construct {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { gateway, edgeKey, logs, webFiles, settings }: DeliveryProps) {
    super(scope, id);
    const { domain } = settings;
    if (domain && domain.certificateArn.split(':')[3] !== 'us-east-1')
      throw new Error(`CloudFront needs a certificate in us-east-1 for ${domain.name}, not ${domain.certificateArn}`);
    const forwarding = this.#forwarding(gateway, edgeKey);
    const keyed = { ...forwarding, originRequestPolicy: this.#onlyKeyedParameters() };
    this.distribution = new Distribution(this, 'Distribution', {
      defaultBehavior: { ...forwarding, cachePolicy: CachePolicy.CACHING_DISABLED },
      additionalBehaviors: {
        // The first pattern that matches counts. A path may end with a slash, which the edge removes later.
        '/v1/public/sites/*/page*': {
          ...keyed,
          cachePolicy: this.#cachePolicy('PublicPages', 'Public pages as JSON and Markdown', queryNamesOf(negotiated), [
            'Accept',
          ]),
        },
        '/v1/public/*': {
          ...keyed,
          cachePolicy: this.#cachePolicy(
            'PublicAnswers',
            'Public searches, facets and suggestions',
            queryNamesOf(others),
          ),
        },
        ...new WebDelivery(this, 'Web', { bucket: webFiles }).behaviors,
      },
      defaultRootObject: 'index.html',
      errorResponses: UNCACHED_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      logBucket: logs,
      logIncludesCookies: false,
      ...(domain && {
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
    });
    this.#acknowledgeFindings(domain !== undefined);
  }

  #acknowledgeFindings(hasDomain: boolean): void {
    Validations.of(this.distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Visitors come from all countries' },
      {
        id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
        reason: 'No request lists the bucket: its paths name files, and `/` is index.html',
      },
      { id: 'AwsSolutions-CFR2', reason: 'The firewall of the settings is at the gateway, where calls cost' },
    );
    if (!hasDomain) {
      const reason = 'CloudFront’s default certificate has a fixed protocol; a domain of your own requires TLS 1.2';
      Validations.of(this.distribution).acknowledge({ id: 'AwsSolutions-CFR4', reason });
    }
  }

  #forwarding(gateway: RestApiBase, edgeKey: SecretValue): BehaviorOptions {
    const viewerRequest = new EdgeFunction(this, 'ViewerRequest', {
      code: FunctionCode.fromFile({ filePath: VIEWER_REQUEST }),
      runtime: FunctionRuntime.JS_2_0,
      comment: 'Adds the client address and the origin to a request',
    });
    return {
      origin: new RestApiOrigin(gateway, { customHeaders: { 'x-api-key': edgeKey.unsafeUnwrap() } }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: this.#securityHeaders(),
      functionAssociations: [{ function: viewerRequest, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
  }

  /**
   * Returns a policy that caches an answer for its own max-age, at most a minute. Answers without one are not cached.
   */
  #cachePolicy(
    id: string,
    comment: string,
    queryNames: readonly string[],
    headers: readonly string[] = [],
  ): CachePolicy {
    return new CachePolicy(this, id, {
      comment,
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(60),
      queryStringBehavior: CacheQueryStringBehavior.allowList(...queryNames),
      headerBehavior: CacheHeaderBehavior.allowList('Authorization', 'x-effective-origin', ...headers),
      cookieBehavior: CacheCookieBehavior.none(),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    });
  }

  /**
   * Returns a policy that forwards all headers but Host, and no query parameter beyond the cache key. The gateway
   * decodes names, so a forwarded `%71=…` would decide the answer that is cached for another `q`.
   */
  #onlyKeyedParameters(): OriginRequestPolicy {
    return new OriginRequestPolicy(this, 'KeyedParameters', {
      comment: 'No query parameters beyond the cache key',
      headerBehavior: OriginRequestHeaderBehavior.denyList('Host'),
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    });
  }

  #securityHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'SecurityHeaders', {
      responseHeadersPolicyName: `${Aws.STACK_NAME}-${Aws.REGION}`, // unique in the account, across all regions
      securityHeadersBehavior: {
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: false, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: false },
      },
    });
  }
}
