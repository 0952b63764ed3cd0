import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * The role of a function with an inline policy. By default CDK makes each policy a separate resource, which counts
 * against the 500 resources of a stack.
 */
export class FunctionRole extends Role {
  readonly #policy: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const policy = new PolicyDocument({ minimize: true });
    super(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com'), inlinePolicies: { Own: policy } });
    this.#policy = policy;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#policy.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
