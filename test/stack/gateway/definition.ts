import * as z from 'zod';
import type { DeployedTemplate } from '../template/deployed-template.ts';

const Integration = z.strictObject({
  type: z.literal('aws_proxy'),
  httpMethod: z.literal('POST'),
  uri: z.string(),
  credentials: z.string(),
  responseTransferMode: z.literal('STREAM').optional(),
});
const Method = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))),
  'x-amazon-apigateway-integration': Integration,
});
const GatewayResponse = z.strictObject({
  statusCode: z.number().optional(),
  responseParameters: z.record(z.string(), z.string()),
  responseTemplates: z.strictObject({ 'application/json': z.string() }),
});
const Body = z.object({
  paths: z.record(z.string(), z.record(z.string(), Method)),
  components: z.object({
    securitySchemes: z.record(
      z.string(),
      z.strictObject({ type: z.literal('apiKey'), name: z.literal('x-api-key'), in: z.literal('header') }),
    ),
  }),
  'x-amazon-apigateway-api-key-source': z.literal('HEADER'),
  'x-amazon-apigateway-binary-media-types': z.array(z.string()),
  'x-amazon-apigateway-gateway-responses': z.record(z.string(), GatewayResponse),
});
const Throttle = z.strictObject({ BurstLimit: z.number(), RateLimit: z.number() });
const Plan = z.object({ Throttle });
const Key = z.object({ Enabled: z.literal(true), Value: z.string() });

export type GatewayResponse = z.infer<typeof GatewayResponse>;
export type Method = {
  readonly functionArn: string;
  /** As which the gateway invokes it. */
  readonly role: string;
  readonly streams: boolean;
  readonly needsKey: boolean;
};

export type GatewayDefinition = {
  readonly apiId: string;
  readonly stage: string;
  readonly throttle: { readonly burst: number; readonly perSecond: number };
  /** The API keys of the usage plan by their ids. */
  readonly keys: ReadonlyMap<string, string>;
  readonly binaryMediaTypes: readonly string[];
  readonly responses: Readonly<Record<string, GatewayResponse>>;
  readonly paths: readonly (readonly [string, Readonly<Record<string, Method>>])[];
};

/** The buffered and the streaming way to invoke a function. */
const INVOCATION =
  /:lambda:path\/(?:2015-03-31\/functions\/(.+)\/invocations|2021-11-15\/functions\/(.+)\/response-streaming-invocations)$/;

export function gatewayDefinition(template: DeployedTemplate): GatewayDefinition {
  const api = only(template, 'AWS::ApiGateway::RestApi');
  const body = Body.parse(api.properties.Body);
  const plan = Plan.parse(only(template, 'AWS::ApiGateway::UsagePlan').properties);
  const inPlan = template.ofType('AWS::ApiGateway::UsagePlanKey').map(({ properties }) => properties.KeyId);
  const keys = template.ofType('AWS::ApiGateway::ApiKey').filter(({ ref }) => inPlan.includes(ref));
  return {
    apiId: api.ref,
    stage: only(template, 'AWS::ApiGateway::Stage').ref,
    throttle: { burst: plan.Throttle.BurstLimit, perSecond: plan.Throttle.RateLimit },
    keys: new Map(keys.map(({ ref, properties }) => [ref, Key.parse(properties).Value])),
    binaryMediaTypes: body['x-amazon-apigateway-binary-media-types'],
    responses: body['x-amazon-apigateway-gateway-responses'],
    paths: Object.entries(body.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, methodOf(method)])),
    ]),
  };
}

function methodOf({ security, 'x-amazon-apigateway-integration': integration }: z.infer<typeof Method>): Method {
  const [, buffered, streaming] = INVOCATION.exec(integration.uri) ?? [];
  const functionArn = buffered ?? streaming;
  if (functionArn === undefined) throw new Error(`Unknown integration ${integration.uri}`);
  const streams = integration.responseTransferMode === 'STREAM';
  if (streams !== (streaming !== undefined)) throw new Error(`${integration.uri} does not fit the transfer mode`);
  return { functionArn, role: integration.credentials, streams, needsKey: security.length > 0 };
}

function only(template: DeployedTemplate, type: string) {
  const [found, ...others] = template.ofType(type);
  if (!found || others.length > 0) throw new Error(`The template must have one ${type}`);
  return found;
}
