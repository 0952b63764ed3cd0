/*
 * A template with construct paths for logical ids and texts for intrinsic functions. It has no hashes, so tests can
 * name a resource, and a snapshot changes only when the deployed resource does.
 */

export type Resource = {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties are compared, and CloudFormation has no types for them
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: object;
};

/** Resources by name, such as `Api/get-site`. */
export type ReadableTemplate = {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: string }>>;
};

type RawResource = {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly Metadata?: { readonly 'aws:cdk:path'?: string };
};
export type RawTemplate = { readonly Resources: Readonly<Record<string, RawResource>>; readonly Outputs: object };

type NameOf = (logicalId: string) => string;

export function readable({ Resources, Outputs }: RawTemplate): ReadableTemplate {
  const names = new Map(Object.entries(Resources).map(([id, { Metadata }]) => [id, constructName(Metadata) ?? id]));
  const nameOf: NameOf = (id) => names.get(id) ?? id.replace(/^AWS::(.*)/, '<$1>');
  const resources = Object.entries(Resources).filter(([, { Type }]) => Type !== 'AWS::CDK::Metadata');
  return {
    Resources: Object.fromEntries(
      resources.map(([id, { Metadata: _, ...resource }]) => [nameOf(id), resolve(resource, nameOf) as Resource]),
    ),
    Outputs: resolve(Outputs, nameOf) as ReadableTemplate['Outputs'],
  };
}

/** `stack/Storage/Table/Resource` is `Storage/Table`. */
const constructName = (metadata: RawResource['Metadata']): string | undefined =>
  metadata?.['aws:cdk:path']?.replace(/^[^/]+\//, '').replace(/\/(?:Resource|Default)$/, '');

function resolve(value: unknown, nameOf: NameOf): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, nameOf));
  if (typeof value !== 'object' || value === null) return value;
  return intrinsic(value, nameOf) ?? mapValues(value, nameOf);
}

function mapValues(value: object, nameOf: NameOf): object {
  const entries = Object.entries(value).map(([key, item]) => {
    const isReference = key === 'DependsOn' && Array.isArray(item);
    return [key, isReference ? item.map(nameOf) : resolve(item, nameOf)];
  });
  return Object.fromEntries(entries);
}

/** The text of an intrinsic function; undefined for any other object. */
function intrinsic(value: object, nameOf: NameOf): string | undefined {
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
  if (others.length > 0) return undefined;
  if (name === 'Ref') return nameOf(argument);
  if (name === 'Fn::GetAtt') return `${nameOf(argument[0])}.${argument[1]}`;
  if (name === 'Fn::Sub') return String(argument).replace(/\$\{([^}]+)\}/g, (_, id) => nameOf(id));
  if (name === 'Fn::Join') return argument[1].map((part: unknown) => resolve(part, nameOf)).join(argument[0]);
  if (name.startsWith('Fn::'))
    return `${name.slice(4)}(${argument.map((part: unknown) => resolve(part, nameOf)).join(', ')})`;
  return undefined;
}

export type Named = readonly [name: string, resource: Resource];

export const resourcesOf = ({ Resources }: ReadableTemplate, type: string): readonly Named[] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type);

export function resourceAt({ Resources }: ReadableTemplate, name: string): Resource {
  const resource = Resources[name];
  if (!resource) throw new Error(`the template has no ${name}`);
  return resource;
}
