export type Resource = {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a template holds is looked at, not typed
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
};
export type Template = { readonly Resources: Readonly<Record<string, Resource>>; readonly Outputs: object };
export type Named = readonly [logicalId: string, resource: Resource];

type Statement = { readonly Effect: string; readonly Action: string | string[]; readonly Resource: unknown };

export const resourcesOf = (template: Template, type: string): readonly Named[] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

export function onlyOf(template: Template, type: string): Resource {
  const [[, resource] = [], ...others] = resourcesOf(template, type);
  if (!resource || others.length > 0) throw new Error(`there is not one ${type}`);
  return resource;
}

/** The function whose code is an entry of the bundle. */
export function functionThatRuns(template: Template, entry: string): Named {
  const handler = `lambdas/${entry}.handler`;
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(([, one]) => one.Properties.Handler === handler);
  if (!found) throw new Error(`no function runs ${entry}`);
  return found;
}

/** What any role may do, with the policy that says so. */
export const statementsIn = (template: Template): readonly (Statement & { readonly of: string })[] =>
  resourcesOf(template, 'AWS::IAM::Policy').flatMap(([name, { Properties }]) =>
    Properties.PolicyDocument.Statement.map((one: Statement) => ({ ...one, of: name })),
  );

export const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);
