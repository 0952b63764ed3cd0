import { describe, expect, it } from '@jest/globals';
import { SECURITY_HEADERS } from '../../../web/headers.ts';
import { resourceAt } from '../readable-template.ts';
import { production, trial } from './templates.ts';

type Behavior = {
  readonly PathPattern: string;
  readonly FunctionAssociations?: unknown;
  readonly TargetOriginId: string;
};

const config = resourceAt(production, 'Delivery/Distribution').Properties.DistributionConfig;
const all: readonly Behavior[] = config.CacheBehaviors;
const behaviors = all.filter(({ PathPattern }) => !PathPattern.startsWith('/v1/public/'));
const headersOf = (policy: string) => resourceAt(production, policy).Properties.ResponseHeadersPolicyConfig;

describe('the files for browsers', () => {
  it('are in a bucket that is encrypted, not public, refuses connections without TLS, and goes with the stack', () => {
    for (const template of [trial, production]) {
      const { Properties, DeletionPolicy } = resourceAt(template, 'WebFiles/Bucket');
      expect(DeletionPolicy).toBe('Delete');
      expect(Properties).toMatchObject({
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      });
    }
    expect(resourceAt(trial, 'WebFiles/Bucket/Policy').Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  it('are copied there again when the build has another name', () => {
    const { ServiceToken, ServiceTimeout, bucket, build } = resourceAt(trial, 'WebFiles/Files').Properties;
    expect([ServiceToken, bucket, build]).toEqual(['WebFiles/publish.Arn', 'WebFiles/Bucket', 'build']);
    expect(resourceAt(trial, 'WebFiles/publish').Properties.Timeout).toBeLessThan(Number(ServiceTimeout));
  });

  it('are read by the edge alone, with signed requests, which may list them so that a missing one is 404', () => {
    const origin = config.Origins.find(({ Id }: { readonly Id: string }) => Id === behaviors[0]?.TargetOriginId);
    expect(origin).toMatchObject({
      DomainName: 'WebFiles/Bucket.RegionalDomainName',
      OriginAccessControlId: 'Delivery/Web/Access.Id',
    });
    expect(resourceAt(production, 'Delivery/Web/Access').Properties.OriginAccessControlConfig).toMatchObject({
      OriginAccessControlOriginType: 's3',
      SigningBehavior: 'always',
    });
    for (const { TargetOriginId } of behaviors) expect(TargetOriginId).toBe(origin.Id);
  });

  it('have these paths; those of pages pass the function that names the file', () => {
    const paths = (of: readonly Behavior[]) => of.map(({ PathPattern }) => PathPattern);
    expect(paths(behaviors)).toEqual([
      ...['/', '/index.html', '/assets/*', '/favicon.*', '/docs*', '/app*'],
      ...['/widgets/*', '/v1/*.js'],
    ]);
    expect(paths(all).slice(-behaviors.length)).toEqual(paths(behaviors)); // after the paths of the API
    expect(paths(behaviors.filter((each) => each.FunctionAssociations))).toEqual(['/', '/docs*', '/app*']);
    expect(config.DefaultRootObject).toBe('index.html');
  });

  it('answer GET and HEAD, compressed, and kept as long as each file says', () => {
    const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6';
    for (const behavior of behaviors) {
      expect(behavior).toMatchObject({
        AllowedMethods: ['GET', 'HEAD'],
        CachePolicyId: CACHING_OPTIMIZED,
        Compress: true,
        ViewerProtocolPolicy: 'redirect-to-https',
      });
      expect(behavior).not.toHaveProperty('OriginRequestPolicyId');
    }
  });

  it('have the security headers that they have on a laptop', () => {
    for (const policy of ['Delivery/Web/PageHeaders', 'Delivery/Web/SharedHeaders'])
      expect(headersOf(policy).SecurityHeadersConfig).toEqual({
        ContentSecurityPolicy: { ContentSecurityPolicy: SECURITY_HEADERS['Content-Security-Policy'], Override: true },
        ContentTypeOptions: { Override: true },
        ReferrerPolicy: { ReferrerPolicy: 'same-origin', Override: true },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 365 * 86_400, IncludeSubdomains: false, Override: true },
      });
  });

  it('are open to other websites if they are scripts for them', () => {
    const { CorsConfig, CustomHeadersConfig } = headersOf('Delivery/Web/SharedHeaders');
    expect(CorsConfig).toMatchObject({
      AccessControlAllowCredentials: false,
      AccessControlAllowOrigins: { Items: ['*'] },
      OriginOverride: true,
    });
    expect(CustomHeadersConfig.Items).toEqual([
      { Header: 'Cross-Origin-Resource-Policy', Value: 'cross-origin', Override: true },
    ]);
    expect(headersOf('Delivery/Web/PageHeaders')).not.toHaveProperty('CorsConfig');
    for (const behavior of behaviors) {
      const isShared = /^\/(?:widgets|v1)\//.test(behavior.PathPattern);
      expect(behavior).toMatchObject({
        ResponseHeadersPolicyId: `Delivery/Web/${isShared ? 'SharedHeaders' : 'PageHeaders'}`,
      });
    }
  });
});
