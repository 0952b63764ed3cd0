import { describe, expect, it } from '@jest/globals';
import { type Names, resolve } from './resolve.ts';

const names: Names = {
  ref: (name) => `<${name}>`,
  attribute: (resource, name) => `<${resource}.${name}>`,
  secret: (arn) => `secret of ${arn}`,
};
const resolved = (value: unknown) => resolve(value, names);

describe('a value of a template', () => {
  it('is resolved at any depth', () => {
    const join = {
      'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':', { 'Fn::GetAtt': ['Table', 'Arn'] }, '/*']],
    };
    expect(resolved({ list: [join, 1, true, null] })).toEqual({
      list: ['arn:<AWS::Partition>:<Table.Arn>/*', 1, true, null],
    });
    const split = { 'Fn::Split': ['/', { 'Fn::Join': ['', ['https://', { Ref: 'Api' }, '/live/']] }] };
    expect(resolved({ 'Fn::Select': [3, split] })).toBe('live');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of CloudFormation
    expect(resolved({ 'Fn::Sub': 'assets-${AWS::AccountId}-${Role.Arn}' })).toBe('assets-<AWS::AccountId>-<Role.Arn>');
  });

  it('has the text of a secret that it refers to, also by a joined reference', () => {
    const arn = 'arn:aws:secretsmanager:eu-west-1:1:secret:key-Ab12Cd';
    const parts = ['{{resolve:secretsmanager:', arn, ':SecretString:::}}'];
    expect(resolved({ key: { 'Fn::Join': ['', parts] } })).toEqual({ key: `secret of ${arn}` });
    expect(() => resolved('{{resolve:ssm:name}}')).toThrow('unknown dynamic reference');
  });

  it('fails at a function that is not known', () => {
    expect(() => resolved({ 'Fn::If': ['Yes', 1, 2] })).toThrow('Fn::If');
  });
});
