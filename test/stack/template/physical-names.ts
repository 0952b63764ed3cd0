import type { Resource } from './cloud-assembly.ts';

export const ACCOUNT = '111122223333';
export const REGION = 'eu-west-1';

export const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};

export type Identity = { readonly ref: string; readonly attributes: Readonly<Record<string, string>> };

type Naming = (name: string, id: string) => Identity;

const arn = (service: string, rest: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
const globalArn = (service: string, rest: string): string => `arn:aws:${service}::${ACCOUNT}:${rest}`;
const named: Naming = (name) => ({ ref: name, attributes: {} });
const withArn =
  (arnOf: (name: string) => string): Naming =>
  (name) => ({ ref: name, attributes: { Arn: arnOf(name) } });
const identified: Naming = (_, id) => ({ ref: id.toLowerCase().slice(-14), attributes: { Id: id } });

/** Returns what `Ref` and `Fn::GetAtt` give for a type. The name is that of the properties, or a generated one. */
const NAMINGS: Readonly<Record<string, { readonly named?: string; readonly identity: Naming }>> = {
  'AWS::DynamoDB::Table': { named: 'TableName', identity: withArn((name) => arn('dynamodb', `table/${name}`)) },
  'AWS::S3::Bucket': {
    named: 'BucketName',
    identity: (given) => {
      const name = given.toLowerCase(); // CloudFormation makes such a name of a stack and a logical id
      const attributes = { Arn: `arn:aws:s3:::${name}`, RegionalDomainName: `${name}.s3.${REGION}.amazonaws.com` };
      return { ref: name, attributes };
    },
  },
  'AWS::SQS::Queue': {
    named: 'QueueName',
    identity: (name) => ({
      ref: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${name}`,
      attributes: { Arn: arn('sqs', name), QueueName: name },
    }),
  },
  'AWS::OpenSearchService::Domain': {
    named: 'DomainName',
    identity: (name) => ({
      ref: name,
      attributes: {
        Arn: arn('es', `domain/${name}`),
        DomainEndpoint: `search-${name}-x7f3kq.${REGION}.es.amazonaws.com`,
      },
    }),
  },
  'AWS::Lambda::Function': { identity: withArn((name) => arn('lambda', `function:${name}`)) },
  'AWS::IAM::Role': { identity: withArn((name) => globalArn('iam', `role/${name}`)) },
  'AWS::Logs::LogGroup': { identity: withArn((name) => arn('logs', `log-group:${name}:*`)) },
  'AWS::Events::Rule': { identity: withArn((name) => arn('events', `rule/${name}`)) },
  'AWS::CloudWatch::Alarm': { identity: withArn((name) => arn('cloudwatch', `alarm:${name}`)) },
  'AWS::Scheduler::ScheduleGroup': {
    named: 'Name',
    identity: withArn((name) => arn('scheduler', `schedule-group/${name}`)),
  },
  'AWS::SecretsManager::Secret': {
    identity: (name) => ({ ref: arn('secretsmanager', `secret:${name}-Ab12Cd`), attributes: {} }),
  },
  'AWS::ApiGateway::Stage': { named: 'StageName', identity: named },
  'AWS::ApiGateway::RestApi': { identity: () => ({ ref: 'a1b2c3d4e5', attributes: {} }) },
  'AWS::CloudFront::Distribution': {
    identity: () => ({ ref: 'E1EXAMPLE', attributes: { DomainName: 'd111111abcdef8.cloudfront.net' } }),
  },
  'AWS::CloudFront::Function': {
    identity: (name) => ({ ref: name, attributes: { FunctionARN: globalArn('cloudfront', `function/${name}`) } }),
  },
};

/** Types that nothing but their own `Ref` names. */
const IDENTIFIED = /^AWS::(ApiGateway|CloudFront|CloudWatch|CloudFormation|IAM|Lambda|Logs|S3|SQS|CDK)::/;

export function identityOf(id: string, { Type, Properties }: Resource, stackName: string, resolved: string): Identity {
  const naming = NAMINGS[Type];
  if (!naming && !IDENTIFIED.test(Type)) throw new Error(`test/stack does not know the type ${Type} of ${id}`);
  const given = naming?.named !== undefined && Properties[naming.named] !== undefined;
  return (naming?.identity ?? identified)(given ? resolved : `${stackName}-${id}`, id);
}

/** The property that names a resource of the type. */
export const nameProperty = (type: string): string | undefined => NAMINGS[type]?.named;
