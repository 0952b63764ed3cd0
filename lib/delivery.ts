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
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Duration, type SecretValue, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Route } from '../lambdas/routes/route.ts';
import { routes } from '../lambdas/routes.ts';
import type { Settings } from './settings.ts';

export type DeliveryProps = {
  readonly gateway: RestApiBase;
  readonly edgeKey: SecretValue;
  readonly settings: Settings;
};

const VIEWER_REQUEST = fileURLToPath(new URL('./edge/viewer-request.js', import.meta.url));
/** An error is kept at the edge for ten seconds unless it is named here. Named without a page: the API's own answer stays. */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** What visitors may ask by GET, and the parameters that change its answer. */
const cacheable: readonly Route[] = (Object.values(routes) as readonly Route[]).filter(
  ({ access, method }) => 'gate' in access && method === 'get',
);
const queryNames = [...new Set(cacheable.flatMap(({ query }) => Object.keys(query?.shape ?? {})))];

/** The service's address: what visitors may ask by GET is shared for a minute, all else goes through. */
export class Delivery extends Construct {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { gateway, edgeKey, settings }: DeliveryProps) {
    super(scope, id);
    const { domain } = settings;
    const passing = this.#passing(gateway, edgeKey);
    this.distribution = new Distribution(this, 'Distribution', {
      defaultBehavior: { ...passing, cachePolicy: CachePolicy.CACHING_DISABLED },
      additionalBehaviors: { '/v1/public/*': { ...passing, cachePolicy: this.#publicAnswers() } },
      errorResponses: ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(domain && {
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
    });
    this.#explain(domain !== undefined);
  }

  #explain(hasDomain: boolean): void {
    Validations.of(this.distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Visitors come from everywhere' },
      { id: 'AwsSolutions-CFR2', reason: 'A firewall costs by the rule: whoever needs one attaches it' },
      { id: 'AwsSolutions-CFR3', reason: 'Such logs keep the addresses of visitors and what they search for' },
    );
    if (!hasDomain) {
      const reason = 'CloudFront’s own name comes with its own protocols; a domain of the settings asks for TLS 1.2';
      Validations.of(this.distribution).acknowledge({ id: 'AwsSolutions-CFR4', reason });
    }
  }

  #passing(gateway: RestApiBase, edgeKey: SecretValue): BehaviorOptions {
    const viewerRequest = new EdgeFunction(this, 'ViewerRequest', {
      code: FunctionCode.fromFile({ filePath: VIEWER_REQUEST }),
      runtime: FunctionRuntime.JS_2_0,
      comment: 'Tells the service the address and the origin of a request',
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

  /** An answer is kept as long as it says itself, a minute at most. One that says nothing is not kept. */
  #publicAnswers(): CachePolicy {
    return new CachePolicy(this, 'PublicAnswers', {
      comment: 'Searches, facets and suggestions of visitors',
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(60),
      queryStringBehavior: CacheQueryStringBehavior.allowList(...queryNames),
      headerBehavior: CacheHeaderBehavior.allowList('Authorization', 'x-effective-origin'),
      cookieBehavior: CacheCookieBehavior.none(),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    });
  }

  #securityHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'SecurityHeaders', {
      securityHeadersBehavior: {
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: false, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: false },
      },
    });
  }
}
