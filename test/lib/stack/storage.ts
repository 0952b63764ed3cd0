import { describe, expect, it } from '@jest/globals';
import { resourceAt } from '../readable-template.ts';
import { production, trial } from './templates.ts';

const table = resourceAt(trial, 'Storage/Table');
const bucket = resourceAt(trial, 'Storage/Pages');

describe('storage', () => {
  it.each(['Storage/Table', 'Storage/Pages', 'EdgeLogs/Bucket'])(
    'keeps %s when the stack is deleted, and removes it when the first deployment fails',
    (name) => {
      for (const template of [trial, production])
        expect(resourceAt(template, name)).toMatchObject({
          DeletionPolicy: 'RetainExceptOnCreate',
          UpdateReplacePolicy: 'Retain',
        });
    },
  );

  it('is protected from deletion only by a setting, because a failed first deployment could not be undone', () => {
    expect(table.Properties.DeletionProtectionEnabled).toBe(false);
    const { DeletionProtectionEnabled } = resourceAt(production, 'Storage/Table').Properties;
    expect(DeletionProtectionEnabled).toBe(true);
  });

  it('has names that follow from the stack’s, so that a later stack finds the data', () => {
    expect(table.Properties.TableName).toBe('site-search-test');
    expect(bucket.Properties.BucketName).toBe('site-search-test-pages-<AccountId>-<Region>');
  });

  it('has a table with items under pk and sk that expire by a field', () => {
    expect(table.Properties).toMatchObject({
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
    expect(table.Properties).not.toHaveProperty('GlobalSecondaryIndexes');
  });

  it('has a table that is restorable to any second and paid by request', () => {
    expect(table.Properties).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      BillingMode: 'PAY_PER_REQUEST',
    });
  });

  it('has a bucket that is encrypted and not public', () => {
    expect(bucket.Properties).toMatchObject({
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
  });

  it('has a bucket that keeps removed texts as long as the table can be restored, and no incomplete uploads', () => {
    expect(bucket.Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(bucket.Properties.LifecycleConfiguration.Rules).toEqual([
      {
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        NoncurrentVersionExpiration: { NoncurrentDays: 35 },
        ExpiredObjectDeleteMarker: true,
        Status: 'Enabled',
      },
    ]);
  });

  it('has a bucket that refuses connections without TLS', () => {
    const { Bucket, PolicyDocument } = resourceAt(trial, 'Storage/Pages/Policy').Properties;
    expect(Bucket).toBe('Storage/Pages');
    expect(PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 's3:*',
        Principal: { AWS: '*' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });
});
