import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { CloudAssembly } from './cloud-assembly.ts';
import { type Identity, identityOf, nameProperty, PSEUDO_PARAMETERS } from './physical-names.ts';
import { type Names, resolve } from './resolve.ts';

export type DeployedResource = Identity & {
  readonly id: string;
  readonly type: string;
  /** The template with all functions resolved. */
  readonly properties: Readonly<Record<string, unknown>>;
};

/** The texts of secrets by ARN. They outlive an update of the stack. */
export type Secrets = Map<string, string>;

export type DeployedTemplate = {
  readonly stackName: string;
  readonly assembly: CloudAssembly;
  readonly resources: ReadonlyMap<string, DeployedResource>;
  readonly ofType: (type: string) => readonly DeployedResource[];
};

const GeneratedSecret = z.object({
  GenerateSecretString: z.object({ PasswordLength: z.number(), ExcludePunctuation: z.literal(true) }),
});

/** Gives every resource its name and resolves the properties. Secrets that the template generates are added. */
export function deployTemplate(assembly: CloudAssembly, secrets: Secrets): DeployedTemplate {
  const { stackName } = assembly;
  const identities = new Map<string, Identity>();
  const identity = (id: string): Identity => {
    const known = identities.get(id);
    if (known) return known;
    const resource = assembly.resources[id];
    if (!resource) throw new Error(`The template has no resource ${id}`);
    const name = resource.Properties[nameProperty(resource.Type) ?? ''];
    const made = identityOf(id, resource, stackName, name === undefined ? '' : String(resolve(name, names)));
    identities.set(id, made);
    if (resource.Type === 'AWS::SecretsManager::Secret') generate(resource.Properties, made.ref, secrets);
    return made;
  };
  const names: Names = {
    ref: (name) => (name === 'AWS::StackName' ? stackName : (PSEUDO_PARAMETERS[name] ?? identity(name).ref)),
    attribute: (id, name) => {
      const value = identity(id).attributes[name];
      if (value === undefined) throw new Error(`test/stack does not know the attribute ${name} of ${id}`);
      return value;
    },
    secret: (arn) => {
      const text = secrets.get(arn);
      if (text === undefined) throw new Error(`There is no secret ${arn}`);
      return text;
    },
  };
  const resources = new Map(
    Object.entries(assembly.resources).map(([id, { Type, Properties }]) => {
      const properties = resolve(Properties, names) as DeployedResource['properties'];
      return [id, { ...identity(id), id, type: Type, properties }] as const;
    }),
  );
  return {
    stackName,
    assembly,
    resources,
    ofType: (type) => [...resources.values()].filter((each) => each.type === type),
  };
}

function generate(properties: unknown, arn: string, secrets: Secrets): void {
  const { PasswordLength } = GeneratedSecret.parse(properties).GenerateSecretString;
  if (!secrets.has(arn)) secrets.set(arn, randomBytes(PasswordLength).toString('hex').slice(0, PasswordLength));
}
