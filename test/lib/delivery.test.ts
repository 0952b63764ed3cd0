import { describe, expect, it } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { ApiDefinition, SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Stack } from 'aws-cdk-lib/core';
import { Delivery } from '../../lib/delivery.ts';
import { settings } from '../../lib/settings.ts';
import { bareApp } from './synthesis.ts';

const domain = { name: 'search.example.com', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/example' };
const stack = new Stack(bareApp());
const definition = { openapi: '3.0.1', info: { title: 'any', version: '1' }, paths: { '/': {} } };
const gateway = new SpecRestApi(stack, 'Gateway', { apiDefinition: ApiDefinition.fromInline(definition) });
const edgeKey = new Secret(stack, 'EdgeKey').secretValue;
new Delivery(stack, 'Delivery', { gateway, edgeKey, settings: { ...settings.trial, domain } });
const template = Template.fromStack(stack);
const [distribution] = Object.values(template.findResources('AWS::CloudFront::Distribution'));
const { DefaultCacheBehavior, CacheBehaviors, ...config } = distribution?.Properties.DistributionConfig ?? {};

describe('the edge', () => {
  it('keeps what visitors ask by GET for a minute, by all that changes the answer', () => {
    expect(CacheBehaviors).toHaveLength(1);
    const [[id, policy] = []] = Object.entries(template.findResources('AWS::CloudFront::CachePolicy'));
    expect(CacheBehaviors[0]).toMatchObject({ PathPattern: '/v1/public/*', CachePolicyId: { Ref: id } });
    expect(policy?.Properties.CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 60,
      ParametersInCacheKeyAndForwardedToOrigin: {
        QueryStringsConfig: {
          QueryStringBehavior: 'whitelist',
          QueryStrings: ['q', 'limit', 'minScore', 'offset', 'filters', 'facets'],
        },
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Authorization', 'x-effective-origin'] },
        CookiesConfig: { CookieBehavior: 'none' },
      },
    });
  });

  it('keeps nothing else', () => {
    const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    expect(DefaultCacheBehavior.CachePolicyId).toBe(CACHING_DISABLED);
  });

  it('keeps no error, and leaves each as the service wrote it', () => {
    expect(config.CustomErrorResponses.length).toBeGreaterThan(0);
    for (const response of config.CustomErrorResponses) {
      expect(response).toEqual({ ErrorCode: expect.any(Number), ErrorCachingMinTTL: 0 });
    }
  });

  it('takes every method, by HTTPS only, and asks its function first', () => {
    for (const behaviour of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(behaviour).toMatchObject({
        ViewerProtocolPolicy: 'https-only',
        FunctionAssociations: [{ EventType: 'viewer-request' }],
      });
      expect(behaviour.AllowedMethods).toHaveLength(7);
    }
  });

  it('has the name and the TLS of the settings', () => {
    expect(config.Aliases).toEqual(['search.example.com']);
    expect(config.ViewerCertificate).toMatchObject({
      AcmCertificateArn: domain.certificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
    });
  });

  it('shows the gateway a key that is in no template', () => {
    const [{ OriginCustomHeaders }] = config.Origins;
    expect(OriginCustomHeaders).toEqual([
      {
        HeaderName: 'x-api-key',
        HeaderValue: { 'Fn::Join': ['', expect.arrayContaining([expect.stringMatching(/^{{resolve:/)])] },
      },
    ]);
  });
});
