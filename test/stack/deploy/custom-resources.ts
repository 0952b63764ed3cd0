import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { Functions } from '../lambda/functions.ts';
import type { DeployedTemplate } from '../template/deployed-template.ts';

const Answer = z.object({
  Status: z.enum(['SUCCESS', 'FAILED']),
  Reason: z.string().optional(),
  PhysicalResourceId: z.string(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
});
type Answer = z.infer<typeof Answer>;
type RequestType = 'Create' | 'Update' | 'Delete';
type Call = {
  readonly id: string;
  readonly type: RequestType;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly old?: Readonly<Record<string, unknown>> | undefined;
};

/** CloudFormation takes no larger answer. */
const MAX_ANSWER_BYTES = 4096;
/** What custom resources have answered when they were created, by logical id. */
const physicalIds = new Map<string, string>();
const StackId = 'arn:aws:cloudformation:eu-west-1:111122223333:stack/tested/1';

/** Calls the functions of the custom resources that are new, gone, or have other properties. */
export async function applyCustomResources(
  before: DeployedTemplate | undefined,
  after: DeployedTemplate | undefined,
  functions: Functions,
): Promise<readonly RequestType[]> {
  const calls = callsFor(propertiesIn(before), propertiesIn(after));
  for (const call of calls) {
    const { Status, Reason } = await callCustomResource(call, functions);
    if (Status === 'FAILED') throw new Error(`The custom resource ${call.id} failed: ${Reason}`);
  }
  return calls.map(({ type }) => type);
}

type Described = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

function callsFor(old: Described, next: Described): readonly Call[] {
  const gone = [...old].filter(([id]) => !next.has(id));
  return [
    ...[...next].flatMap(([id, properties]): Call[] => {
      const before = old.get(id);
      if (before === undefined) return [{ id, type: 'Create', properties }];
      if (JSON.stringify(before) === JSON.stringify(properties)) return [];
      return [{ id, type: 'Update', properties, old: before }];
    }),
    ...gone.map(([id, properties]): Call => ({ id, type: 'Delete', properties })),
  ];
}

/** CloudFormation makes strings of numbers. */
const propertiesIn = (template: DeployedTemplate | undefined): Described =>
  new Map(
    template
      ?.ofType('AWS::CloudFormation::CustomResource')
      .map(({ id, properties }) => [
        id,
        Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, String(value)])),
      ]),
  );

async function callCustomResource({ id, type, properties, old }: Call, functions: Functions): Promise<Answer> {
  const answered = Promise.withResolvers<Answer>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response.end();
    if (request.method !== 'PUT' || request.headers['content-type'] !== undefined || body.length > MAX_ANSWER_BYTES)
      answered.reject(new Error('S3 would refuse the answer to CloudFormation'));
    else answered.resolve(Answer.parse(JSON.parse(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ResponseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer?signature=1`;
  const ServiceToken = String(properties.ServiceToken);
  const event = {
    RequestType: type,
    ServiceToken,
    ResponseURL,
    StackId,
    RequestId: randomUUID(),
    ResourceType: 'AWS::CloudFormation::CustomResource',
    LogicalResourceId: id,
    ResourceProperties: properties,
    ...(type !== 'Create' && { PhysicalResourceId: physicalIds.get(id) }),
    ...(old && { OldResourceProperties: old }),
  };
  const limit = setTimeout(
    () => answered.reject(new Error('CloudFormation got no answer in time')),
    Number(properties.ServiceTimeout) * 1000,
  );
  try {
    await functions.invoke(ServiceToken, event);
    const answer = await answered.promise;
    const known = physicalIds.get(id) ?? answer.PhysicalResourceId;
    if (known !== answer.PhysicalResourceId) throw new Error(`CloudFormation would replace ${id}`);
    physicalIds.set(id, known);
    return answer;
  } finally {
    clearTimeout(limit);
    server.closeAllConnections();
    server.close();
  }
}
