import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Aws, Duration, RemovalPolicy, type SecretValue, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Route } from '../lambdas/routes/route.ts';
import { type OperationName, routes } from '../lambdas/routes.ts';
import { operations } from './entries.ts';
import { gatewayDefinition } from './gateway-definition.ts';
import { type Service, ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';

const PUSH_LOGS =
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]';
const STAGE = 'live';
/** The timeout of a function. It is below the gateway's 29 s, so that the function's log reports the timeout. */
const TIMEOUT = Duration.seconds(28);

/** The versions and actions of Lambda's API with which the gateway invokes a function. */
const BUFFERED = ['2015-03-31', 'invocations'] as const;
const STREAMING = ['2021-11-15', 'response-streaming-invocations'] as const;

/**
 * The fields of the access log. It has no IP address, query or header, because those are personal data. `error` says
 * why the gateway itself refused a request.
 */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  ms: '$context.responseLatency',
  bytes: '$context.responseLength',
  functionMs: '$context.integrationLatency',
  functionRequestId: '$context.integration.requestId',
  trace: '$context.xrayTraceId',
  error: '$context.error.responseType',
};

/** One function per operation, behind a gateway that accepts requests from the edge only. */
export class Api extends Construct {
  readonly gateway: SpecRestApi;
  /** The key that the edge sends with each request. The gateway refuses requests without it. */
  readonly edgeKey: SecretValue;
  readonly functions = new Map<OperationName | 'fallback', ServiceFunction>();

  constructor(scope: Construct, id: string, { service }: { readonly service: Service }) {
    super(scope, id);
    for (const name of operations) this.functions.set(name, this.#makeFunction(name, routes[name].summary, service));
    this.functions.set(
      'fallback',
      this.#makeFunction('fallback', 'Refuses requests that no endpoint accepts', service),
    );
    this.gateway = this.#makeGateway(service);
    this.edgeKey = this.#requireEdgeKey(service.settings);
  }

  #makeFunction(name: OperationName | 'fallback', summary: string, service: Service): ServiceFunction {
    const fn = new ServiceFunction(this, name, service, { entry: `api/${name}`, summary, timeout: TIMEOUT });
    const { crawlContact } = service.settings;
    if (name === 'test-url' && crawlContact !== undefined) fn.setVariables({ CRAWL_CONTACT: crawlContact });
    return fn;
  }

  #makeGateway({ settings }: Service): SpecRestApi {
    // A gateway's metrics carry its name, so two stacks of one account need two names.
    const { stackName } = Stack.of(this);
    const { roleArn } = this.#invocationRole();
    const definition = gatewayDefinition(stackName, roleArn, (name) => {
      const arn = this.functions.get(name)?.functionArn;
      const streams = name !== 'fallback' && (routes[name] as Route).streams;
      const [version, action] = streams ? STREAMING : BUFFERED;
      return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${version}/functions/${arn}/${action}`;
    });
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const gateway = new SpecRestApi(this, 'Gateway', {
      restApiName: stackName,
      apiDefinition: ApiDefinition.fromInline(definition),
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      deployOptions: {
        stageName: STAGE,
        tracingEnabled: true,
        throttlingRateLimit: settings.throttle.callsPerSecond,
        throttlingBurstLimit: settings.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    Validations.of(gateway).acknowledge(
      { id: 'AwsSolutions-APIG2', reason: 'Functions validate every request, and report all of its faults at once' },
      {
        id: 'AwsSolutions-APIG3',
        reason: 'Calls are limited by the service and throttled in all; a firewall, which costs money, is a setting',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason: 'The access log says why the gateway refuses, and the functions write logs of their own',
      },
      {
        id: PUSH_LOGS,
        reason: 'AWS made this policy for the account’s one role by which all gateways write logs',
      },
    );
    return gateway;
  }

  /**
   * Returns the role by which the gateway invokes the functions. A permission for each function would be 80 more of the
   * 500 resources that a stack may have.
   */
  #invocationRole(): Role {
    const statement = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: [...this.functions.values()].map(({ functionArn }) => functionArn),
    });
    return new Role(this, 'gateway-role', {
      description: 'Invokes the functions of the API',
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { Own: new PolicyDocument({ statements: [statement] }) },
    });
  }

  #requireEdgeKey({ throttle }: Settings): SecretValue {
    const secret = new Secret(this, 'EdgeKey', {
      description: 'Proves to the gateway that a request comes from the edge',
      generateSecretString: { passwordLength: 40, excludePunctuation: true },
    });
    const reason = 'Deploying a new secret rotates the key, at the gateway and the edge at once';
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
    const key = this.gateway.addApiKey('Key', { value: secret.secretValue.unsafeUnwrap() });
    // All calls have the same key, so this is the limit of all calls together.
    const { callsPerSecond: rateLimit, burst: burstLimit } = throttle;
    const plan = this.gateway.addUsagePlan('Plan', { throttle: { rateLimit, burstLimit } });
    plan.addApiStage({ stage: this.gateway.deploymentStage });
    plan.addApiKey(key);
    return secret.secretValue;
  }
}
