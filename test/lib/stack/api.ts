import { describe, expect, it } from '@jest/globals';
import { routes } from '../../../lambdas/routes.ts';
import { resourceAt, resourcesOf } from '../readable-template.ts';
import { trial } from './templates.ts';

const stage = resourceAt(trial, 'Api/Gateway/DeploymentStage.live').Properties;

describe('the gateway', () => {
  it('invokes each function by one role, and no other function', () => {
    const [policy, ...others] = resourceAt(trial, 'Api/gateway-role').Properties.Policies;
    expect(others).toEqual([]);
    const [{ Action, Resource }, ...more] = policy.PolicyDocument.Statement;
    expect([Action, more]).toEqual(['lambda:InvokeFunction', []]);
    const functions = [...Object.keys(routes), 'fallback'];
    expect(Resource.toSorted()).toEqual(functions.map((name) => `Api/${name}.Arn`).toSorted());
    // Inline policies of a role have 10,240 characters at most. An ARN with the longest name of a function has 116.
    expect(functions.length * (116 + '"",'.length)).toBeLessThan(10_000);
  });

  it('is traced, and writes an access log without personal data', () => {
    expect(stage.TracingEnabled).toBe(true);
    expect(stage.AccessLogSetting.DestinationArn).toContain('log-group:Api/AccessLog');
    const fields = Object.values(JSON.parse(stage.AccessLogSetting.Format) as Record<string, string>);
    for (const field of fields)
      expect(field).not.toMatch(/identity|authorizer|request(?:override)?\.(?:header|query)/i);
    expect(fields).toContain('$context.resourcePath');
    expect(fields).not.toContain('$context.path');
    expect(fields).toContain('$context.error.responseType');
  });

  it('has the stack’s name, by which its metrics are told from those of other stacks', () => {
    const { Name, Body } = resourceAt(trial, 'Api/Gateway').Properties;
    expect([Name, Body.info.title]).toEqual(['site-search-test', 'site-search-test']);
  });

  it('is regional, and takes requests with the edge’s key on its one stage', () => {
    expect(resourceAt(trial, 'Api/Gateway').Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
    expect(resourceAt(trial, 'Api/Gateway/Plan').Properties.ApiStages).toMatchObject([
      { ApiId: 'Api/Gateway', Stage: 'Api/Gateway/DeploymentStage.live' },
    ]);
    const [[, planKey] = []] = resourcesOf(trial, 'AWS::ApiGateway::UsagePlanKey');
    expect(planKey?.Properties).toMatchObject({ KeyId: 'Api/Gateway/Key', UsagePlanId: 'Api/Gateway/Plan' });
  });

  it('has a generated key of 40 characters that is in no template', () => {
    expect(resourceAt(trial, 'Api/EdgeKey').Properties).toMatchObject({
      GenerateSecretString: { PasswordLength: 40, ExcludePunctuation: true },
    });
    const key = resourceAt(trial, 'Api/Gateway/Key').Properties;
    expect(key).toMatchObject({ Enabled: true, Value: '{{resolve:secretsmanager:Api/EdgeKey:SecretString:::}}' });
  });
});
