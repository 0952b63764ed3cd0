import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { amzDate, authorization } from '../../../lambdas/adapters/aws/sign-request.ts';
import { answer, scriptedServer } from '../../support/scripted-server.ts';

describe('the authorization of a request', () => {
  it("is that of AWS's own example of a POST", () => {
    const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' };
    const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
    expect(authorization({ region: 'us-east-1', service: 'service', headers, body: '' }, keys)).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        'SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    );
  });

  it("is what AWS's SDK makes of the same request to DynamoDB", async () => {
    const server = await scriptedServer(answer(200, {}));
    const credentials = { accessKeyId: 'AKID', secretAccessKey: 'a/secret+key', sessionToken: 'a/token==' };
    const client = new DynamoDBClient({ endpoint: server.url, region: 'eu-west-1', credentials });
    await client.send(new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'Zürich 東京' } } }));
    await server.close();
    const [request] = server.requests;
    const signed = /SignedHeaders=([^,]*)/.exec(request?.headers.authorization ?? '')?.[1]?.split(';') ?? [];
    expect(signed).toContain('x-amz-security-token');
    const headers = Object.fromEntries(signed.map((name) => [name, String(request?.headers[name])]));
    const unsigned = { region: 'eu-west-1', service: 'dynamodb', headers, body: request?.body ?? '' };
    expect(authorization(unsigned, credentials)).toBe(request?.headers.authorization);
  });

  it('has dates as AWS writes them', () => {
    expect(amzDate(new Date('2026-01-02T03:04:05.678Z'))).toBe('20260102T030405Z');
  });
});
