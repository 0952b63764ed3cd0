import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Aws, Duration, RemovalPolicy, type SecretValue, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Route } from '../lambdas/routes/route.ts';
import { type OperationName, routes } from '../lambdas/routes.ts';
import { servedOperations } from './bundle.ts';
import { gatewayDefinition } from './gateway-definition.ts';
import { type Service, ServiceFunction } from './service-function.ts';

const PUSH_LOGS =
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]';
const STAGE = 'live';
/** The gateway waits for no answer any longer. */
const TIMEOUT = Duration.seconds(29);

/** No address, no query, no header: those are personal. */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  ms: '$context.responseLatency',
  bytes: '$context.responseLength',
  error: '$context.integrationErrorMessage',
};

/** One function for each operation that is served, behind a gateway that only the edge may call. */
export class Api extends Construct {
  readonly gateway: SpecRestApi;
  /** What the edge shows to the gateway. */
  readonly edgeKey: SecretValue;
  readonly functions = new Map<OperationName | 'fallback', ServiceFunction>();

  constructor(scope: Construct, id: string, { service }: { readonly service: Service }) {
    super(scope, id);
    for (const name of servedOperations)
      this.functions.set(name, this.#makeFunction(name, routes[name].summary, service));
    this.functions.set('fallback', this.#makeFunction('fallback', 'Refuses what no other endpoint takes', service));
    this.gateway = this.#makeGateway(service);
    for (const [name, fn] of this.functions) this.#admit(name, fn);
    this.edgeKey = this.#lock();
  }

  #makeFunction(name: OperationName | 'fallback', summary: string, service: Service): ServiceFunction {
    return new ServiceFunction(this, name, service, { entry: `api/${name}`, summary, timeout: TIMEOUT });
  }

  #makeGateway({ settings }: Service): SpecRestApi {
    const definition = gatewayDefinition((name) => {
      const arn = this.functions.get(name)?.functionArn;
      return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${arn}/invocations`;
    });
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const gateway = new SpecRestApi(this, 'Gateway', {
      apiDefinition: ApiDefinition.fromInline(definition),
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      deployOptions: {
        stageName: STAGE,
        tracingEnabled: true,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    Validations.of(gateway).acknowledge(
      { id: 'AwsSolutions-APIG2', reason: 'Functions judge every request, and name all of its faults at once' },
      {
        id: 'AwsSolutions-APIG3',
        reason: 'A firewall, if there is one, stands at the edge: no request comes by another way',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason: 'The access log names errors of the integration; functions log what they do',
      },
      {
        id: PUSH_LOGS,
        reason: 'One role for the account, by which its gateways write their logs: made for this policy',
      },
    );
    return gateway;
  }

  /** The gateway may call the function for its own method, or for any if it is the fallback. */
  #admit(name: OperationName | 'fallback', fn: ServiceFunction): void {
    const method = name === 'fallback' ? '*' : (routes[name] as Route).method.toUpperCase();
    fn.addPermission('gateway', {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: this.gateway.arnForExecuteApi(method, '/*', STAGE),
    });
  }

  /** A key that only the edge has: what comes to the gateway by another way is refused before any function runs. */
  #lock(): SecretValue {
    const secret = new Secret(this, 'EdgeKey', {
      description: 'By this the gateway knows that a request comes from the edge',
      generateSecretString: { passwordLength: 40, excludePunctuation: true },
    });
    const reason = 'A new key is given by deploying a new secret, to gateway and edge at once';
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
    const key = this.gateway.addApiKey('Key', { value: secret.secretValue.unsafeUnwrap() });
    const plan = this.gateway.addUsagePlan('Plan');
    plan.addApiStage({ stage: this.gateway.deploymentStage });
    plan.addApiKey(key);
    return secret.secretValue;
  }
}
