import { describe, expect, it } from '@jest/globals';
import { resourceNames } from '../../../lib/resource-names.ts';
import { settings } from '../../../lib/settings.ts';
import { ENVIRONMENT, findings, options, synthesise, templateOf } from '../synthesis.ts';
import { production } from './templates.ts';

const everyOption = { ...settings.production, ...options };

describe('in a known account and region', () => {
  const template = templateOf(everyOption, ENVIRONMENT);

  it('what stays after the stack has a name without tokens, so that a later stack can import it', () => {
    const kept = Object.values(template.Resources).filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'));
    const names = kept.flatMap(({ Properties = {} }) =>
      Object.entries(Properties).filter(([property]) => property.endsWith('Name')),
    );
    expect(names.map(([property]) => property).toSorted()).toEqual([
      ...['BucketName', 'BucketName', 'DomainName', 'TableName'],
    ]);
    for (const [, name] of names) expect(name).toEqual(expect.any(String));
  });

  it('buckets have the names that the tokens stood for, and all resources their logical ids', () => {
    const bucketNames = Object.values(template.Resources).flatMap(({ Properties }) => Properties?.BucketName ?? []);
    expect(bucketNames).toEqual([
      'site-search-test-pages-111122223333-us-east-1',
      'site-search-test-edge-logs-111122223333-us-east-1',
    ]);
    expect(Object.keys(template.Resources)).toEqual(Object.keys(templateOf(everyOption).Resources));
    expect(Object.keys(synthesise(everyOption, ENVIRONMENT).Resources)).toEqual(Object.keys(production.Resources));
  });

  it('cdk-nag has no finding without a reason', () => {
    expect(findings(everyOption, ENVIRONMENT)).toEqual([]);
  });
});

describe('synthesis refuses', () => {
  it('a region to which CloudFront cannot deliver logs', () => {
    expect(() => templateOf(settings.trial, { ...ENVIRONMENT, region: 'eu-south-1' })).toThrow(
      /^CloudFront cannot deliver its logs to eu-south-1\. Deploy to one of .*eu-west-1/,
    );
  });

  it('a certificate outside us-east-1', () => {
    const domain = { ...options.domain, certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/example' };
    expect(() => templateOf({ ...settings.trial, domain })).toThrow(
      /^CloudFront needs a certificate in us-east-1 for search\.example\.com/,
    );
  });

  it('a stack’s name whose buckets would have more than 63 characters', () => {
    const longest = 'a'.repeat(25);
    expect(`${resourceNames(longest).table}-edge-logs-111122223333-ap-southeast-1`).toHaveLength(63);
    expect(() => resourceNames(`${longest}a`)).toThrow(/3 to 25 characters/);
  });
});
