import { fileURLToPath } from 'node:url';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  type HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Aws, Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { SECURITY_HEADERS, SHARING_HEADERS } from '../web/headers.ts';

const PAGE_REQUEST = fileURLToPath(new URL('./edge/page-request.js', import.meta.url));

/** The name of a response headers policy. It is unique in the account, across all regions. */
const policyName = (of: string): string => `${Aws.STACK_NAME}-${of}-${Aws.REGION}`;

/** How the edge answers requests for the files for browsers, by path. Their own `Cache-Control` says how long. */
export class WebDelivery extends Construct {
  readonly behaviors: Readonly<Record<string, BehaviorOptions>>;

  constructor(scope: Construct, id: string, { bucket }: { readonly bucket: IBucket }) {
    super(scope, id);
    const files = this.#files(bucket);
    const pages = { ...files, functionAssociations: [this.#pageRequest()] };
    const shared = { ...files, responseHeadersPolicy: this.#headers('SharedHeaders', 'shared', true) };
    this.behaviors = {
      '/': pages,
      '/index.html': files,
      '/assets/*': files,
      '/favicon.*': files,
      '/docs*': pages,
      '/app*': pages,
      '/widgets/*': shared,
      '/v1/*.js': shared,
    };
  }

  /** The edge may list the bucket, so that S3 answers 404 instead of 403 to a request for a missing file. */
  #files(bucket: IBucket): BehaviorOptions {
    const originAccessControl = new S3OriginAccessControl(this, 'Access', {
      originAccessControlName: policyName('web'),
    });
    const originAccessLevels = [AccessLevel.READ, AccessLevel.LIST];
    return {
      origin: S3BucketOrigin.withOriginAccessControl(bucket, { originAccessControl, originAccessLevels }),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.#headers('PageHeaders', 'pages', false),
    };
  }

  #pageRequest(): NonNullable<BehaviorOptions['functionAssociations']>[number] {
    const pageRequest = new EdgeFunction(this, 'PageRequest', {
      code: FunctionCode.fromFile({ filePath: PAGE_REQUEST }),
      runtime: FunctionRuntime.JS_2_0,
      comment: 'Names the file of a page',
    });
    return { function: pageRequest, eventType: FunctionEventType.VIEWER_REQUEST };
  }

  #headers(id: string, name: string, isShared: boolean): ResponseHeadersPolicy {
    const override = true;
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: policyName(name),
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: SECURITY_HEADERS['Content-Security-Policy'], override },
        contentTypeOptions: { override },
        referrerPolicy: { referrerPolicy: SECURITY_HEADERS['Referrer-Policy'] as HeadersReferrerPolicy, override },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: false, override },
      },
      ...(isShared && {
        // CloudFront takes this header only here.
        corsBehavior: {
          accessControlAllowCredentials: false,
          accessControlAllowHeaders: ['*'],
          accessControlAllowMethods: ['GET', 'HEAD'],
          accessControlAllowOrigins: [SHARING_HEADERS['Access-Control-Allow-Origin']],
          originOverride: true,
        },
        customHeadersBehavior: {
          customHeaders: [
            {
              header: 'Cross-Origin-Resource-Policy',
              value: SHARING_HEADERS['Cross-Origin-Resource-Policy'],
              override,
            },
          ],
        },
      }),
    });
  }
}
