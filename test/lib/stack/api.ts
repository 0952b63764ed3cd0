import { describe, expect, it } from '@jest/globals';
import { routes } from '../../../lambdas/routes.ts';
import { resourceAt, resourcesOf } from '../readable-template.ts';
import { trial } from './templates.ts';

const stage = resourceAt(trial, 'Api/Gateway/DeploymentStage.live').Properties;

describe('the gateway', () => {
  it('may call each function by one permission', () => {
    const callable = resourcesOf(trial, 'AWS::Lambda::Permission').filter(
      ([, { Properties }]) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    expect(callable.map(([, { Properties }]) => Properties.FunctionName).toSorted()).toEqual(
      [...Object.keys(routes), 'fallback'].map((name) => `Api/${name}.Arn`).toSorted(),
    );
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
