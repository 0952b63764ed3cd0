import { describe, expect, it } from '@jest/globals';
import { aboutCaller, isAllowed, matching, PolicyDocument, type Request } from './policy.ts';

const parsed = (...statements: readonly object[]) =>
  PolicyDocument.parse({ Version: '2012-10-17', Statement: statements }).Statement;
const request = (more: Partial<Request> = {}): Request => ({
  action: 'dynamodb:PutItem',
  resource: 'arn:aws:dynamodb:eu-west-1:1:table/sites',
  context: {},
  ...more,
});
const allows = (statements: readonly object[], asked: Request = request()) =>
  isAllowed(matching(parsed(...statements), asked));

const WRITE = { Effect: 'Allow', Action: ['dynamodb:Put*'], Resource: 'arn:aws:dynamodb:*:1:table/sites' };

describe('a policy', () => {
  it('allows what a statement names, by wildcards too, and nothing else', () => {
    expect(allows([WRITE])).toBe(true);
    expect(allows([WRITE], request({ action: 'dynamodb:DeleteItem' }))).toBe(false);
    expect(allows([WRITE], request({ resource: 'arn:aws:dynamodb:eu-west-1:1:table/sites-2' }))).toBe(false);
    expect(allows([])).toBe(false);
  });

  it('lets a deny win', () => {
    expect(allows([WRITE, { ...WRITE, Effect: 'Deny' }])).toBe(false);
  });

  it('limits the partitions of a table: every one of a request must match', () => {
    const Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SITE#*', 'SPACE'] } };
    const limited = { ...WRITE, Condition };
    const writing = (...keys: readonly string[]) => request({ context: { 'dynamodb:LeadingKeys': keys } });
    expect(allows([limited], writing('SITE#1', 'SPACE'))).toBe(true);
    expect(allows([limited], writing('SITE#1', 'KEY#1'))).toBe(false);
    expect(allows([limited], writing('SPACES'))).toBe(false);
  });

  it('of a resource is about the callers that it names', () => {
    const statement = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*' };
    const policy = parsed(
      { ...statement, Principal: { Service: 'events.amazonaws.com' } },
      { ...statement, Effect: 'Deny', Principal: { AWS: '*' } },
    );
    const effects = (caller: Parameters<typeof aboutCaller>[1]) =>
      aboutCaller(policy, caller).map(({ Effect }) => Effect);
    expect(effects({ service: 'events.amazonaws.com' })).toEqual(['Allow', 'Deny']);
    expect(effects({ role: 'arn:aws:iam::1:role/worker' })).toEqual(['Deny']);
  });

  it('fails at what is not evaluated', () => {
    expect(() => parsed({ Effect: 'Allow', NotAction: 's3:*', Resource: '*' })).toThrow();
    expect(() => allows([{ ...WRITE, Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }])).toThrow(
      'IpAddress',
    );
    expect(() => allows([{ ...WRITE, Condition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } } }])).toThrow(
      'Multi',
    );
  });
});
