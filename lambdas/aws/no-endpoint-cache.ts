/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles of functions. The client of DynamoDB makes one, and asks it for
 * nothing while the discovery of endpoints is off, as it is by default.
 */
export class EndpointCache {}
