import * as z from 'zod';
import type { DeployedTemplate } from '../template/deployed-template.ts';
import { ACCOUNT } from '../template/physical-names.ts';
import {
  aboutCaller,
  type Caller,
  isAllowed,
  matching,
  PolicyDocument,
  type Request,
  type Statement,
} from './policy.ts';

const Role = z.object({
  AssumeRolePolicyDocument: PolicyDocument,
  Policies: z.array(z.object({ PolicyDocument })).default([]),
  ManagedPolicyArns: z.array(z.string()).default([]),
});
const Policy = z.object({ PolicyDocument, Roles: z.array(z.string()) });
const QueuePolicy = z.object({ PolicyDocument, Queues: z.array(z.string()) });
const BucketPolicy = z.object({ PolicyDocument, Bucket: z.string() });
const Domain = z.object({ AccessPolicies: PolicyDocument });

/** An action on a resource that a role may do. */
type Grant = { readonly role: string; readonly action: string; readonly resource: string };
/** The statement of a role that gives it something. */
export type GivenStatement = Statement & { readonly role: string };

/** Decides about requests by the roles and the resource policies of a template, and remembers what was used. */
export class Access {
  readonly denied: string[] = [];
  readonly #roles = new Map<string, readonly Statement[]>();
  readonly #trust = new Map<string, readonly Statement[]>();
  readonly #resources = new Map<string, readonly Statement[]>();
  readonly #used = new Set<string>();
  readonly #usedStatements = new Set<string>();

  constructor(template: DeployedTemplate) {
    this.adopt(template);
  }

  /** Takes the policies of another version of the stack. What was used stays used. */
  adopt(template: DeployedTemplate): void {
    this.#roles.clear();
    const arnByName = new Map<string, string>();
    for (const { ref, attributes, properties } of template.ofType('AWS::IAM::Role')) {
      const role = Role.parse(properties);
      const arn = attributes.Arn ?? '';
      arnByName.set(ref, arn);
      this.#roles.set(
        arn,
        role.Policies.flatMap((each) => each.PolicyDocument.Statement),
      );
      this.#trust.set(arn, role.AssumeRolePolicyDocument.Statement);
    }
    for (const { properties } of template.ofType('AWS::IAM::Policy')) {
      const { Roles, PolicyDocument: added } = Policy.parse(properties);
      for (const name of Roles) {
        const arn = arnByName.get(name) ?? '';
        this.#roles.set(arn, [...(this.#roles.get(arn) ?? []), ...added.Statement]);
      }
    }
    this.#adoptResources(template);
  }

  #adoptResources(template: DeployedTemplate): void {
    const arnOf = new Map([...template.resources.values()].map(({ ref, attributes }) => [ref, attributes.Arn ?? '']));
    for (const { properties } of template.ofType('AWS::SQS::QueuePolicy')) {
      const { Queues, PolicyDocument: policy } = QueuePolicy.parse(properties);
      for (const queue of Queues) this.#resources.set(arnOf.get(queue) ?? '', policy.Statement);
    }
    for (const { properties } of template.ofType('AWS::S3::BucketPolicy')) {
      const { Bucket, PolicyDocument: policy } = BucketPolicy.parse(properties);
      this.#resources.set(arnOf.get(Bucket) ?? '', policy.Statement);
    }
    for (const { attributes, properties } of template.ofType('AWS::OpenSearchService::Domain'))
      this.#resources.set(attributes.Arn ?? '', Domain.parse(properties).AccessPolicies.Statement);
  }

  /** Tells whether the caller may. Remembers a refusal. */
  allows(caller: Caller, request: Request): boolean {
    const context = { 'aws:SecureTransport': ['true'], ...request.context };
    const full = { ...request, context };
    const own = 'role' in caller ? matching(this.#statementsOf(caller.role), full) : [];
    const ofResource = matching(aboutCaller(this.#policyOf(request.resource), caller), full);
    const allowed = isAllowed([...own, ...ofResource]);
    if (!allowed)
      this.denied.push(`${'role' in caller ? caller.role : caller.service} ${request.action} ${request.resource}`);
    else if ('role' in caller) this.#use(caller.role, request, own);
    return allowed;
  }

  /** Tells whether a service of AWS may act as a role. `source` is the ARN of the resource for which it acts. */
  mayAssume(service: string, role: string, source?: string): boolean {
    const context = { 'aws:SourceAccount': [ACCOUNT], ...(source !== undefined && { 'aws:SourceArn': [source] }) };
    const request: Request = { action: 'sts:AssumeRole', resource: role, context };
    return isAllowed(matching(aboutCaller(this.#trust.get(role) ?? [], { service }), request));
  }

  /** The actions on resources that roles have and none has used, as `action resource`. */
  unusedActions(): readonly string[] {
    const grants = this.#given().flatMap((statement) => grantsOf(statement.role, statement));
    const used = new Set(grants.filter((grant) => this.#used.has(keyOf(grant))).map(actionOf));
    return [...new Set(grants.map(actionOf))].filter((action) => !used.has(action));
  }

  /** The statements of roles of which no action was used. */
  unusedStatements(): readonly GivenStatement[] {
    return this.#given().filter((statement) => !this.#usedStatements.has(keyOfStatement(statement)));
  }

  #given(): readonly GivenStatement[] {
    const all = [...this.#roles].flatMap(([role, statements]) => statements.map((each) => ({ ...each, role })));
    return all.filter(({ Effect }) => Effect === 'Allow');
  }

  #statementsOf(role: string): readonly Statement[] {
    const statements = this.#roles.get(role);
    if (!statements) throw new Error(`There is no role ${role}`);
    return statements;
  }

  /** The policy of the resource, or of what it is in: an object of a bucket, a path of a domain. */
  #policyOf(resource: string): readonly Statement[] {
    return [...this.#resources].find(([arn]) => resource === arn || resource.startsWith(`${arn}/`))?.[1] ?? [];
  }

  #use(role: string, request: Request, statements: readonly Statement[]): void {
    for (const statement of statements) this.#usedStatements.add(keyOfStatement({ ...statement, role }));
    for (const statement of statements)
      for (const grant of grantsOf(role, statement))
        if (matching([{ ...statement, Action: [grant.action], Resource: [grant.resource] }], request).length > 0)
          this.#used.add(keyOf(grant));
  }
}

const grantsOf = (role: string, { Effect, Action, Resource = [] }: Statement): readonly Grant[] =>
  Effect === 'Deny' ? [] : Action.flatMap((action) => Resource.map((resource) => ({ role, action, resource })));

const keyOf = ({ role, action, resource }: Grant): string => JSON.stringify([role, action, resource]);
const actionOf = ({ action, resource }: Grant): string => `${action} ${resource}`;
/** Another version of the stack may give the same to the same role in other statements. */
const keyOfStatement = ({ role, Action, Resource, Condition }: GivenStatement): string =>
  JSON.stringify([role, Action, Resource, Condition]);
