export type Names = {
  /** The value of `Ref` for a resource or a pseudo parameter. */
  readonly ref: (name: string) => string;
  readonly attribute: (resource: string, name: string) => string;
  /** The text of a secret, for a dynamic reference to it. */
  readonly secret: (arn: string) => string;
};

type Functions = Readonly<Record<string, (argument: unknown, names: Names) => unknown>>;

const DYNAMIC_REFERENCE = /\{\{resolve:secretsmanager:(arn:[^}]+?):SecretString:::\}\}/g;

/**
 * A value of a template with its functions and dynamic references replaced. It fails at a function that it does not
 * know.
 */
export function resolve(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return withSecrets(value, names);
  if (Array.isArray(value)) return value.map((each) => resolve(each, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [name, argument] = entries[0] ?? [];
  if (entries.length === 1 && name !== undefined && (name === 'Ref' || name.startsWith('Fn::'))) {
    const call = FUNCTIONS[name];
    if (!call) throw new Error(`The template has the function ${name}, which test/stack does not know`);
    const result = call(argument, names);
    return typeof result === 'string' ? withSecrets(result, names) : result;
  }
  return Object.fromEntries(entries.map(([key, each]) => [key, resolve(each, names)]));
}

const withSecrets = (text: string, names: Names): string => {
  const resolved = text.replace(DYNAMIC_REFERENCE, (_, arn: string) => names.secret(arn));
  if (resolved.includes('{{resolve:')) throw new Error(`The template has an unknown dynamic reference: ${text}`);
  return resolved;
};

const FUNCTIONS: Functions = {
  Ref: (name, names) => names.ref(textOf(name)),
  'Fn::GetAtt': (argument, names) => {
    const [resource, attribute] = listOf(argument).map(textOf);
    return names.attribute(resource ?? '', attribute ?? '');
  },
  'Fn::Join': (argument, names) => {
    const [separator, parts] = listOf(argument);
    return listOf(raw(parts, names)).map(textOf).join(textOf(separator));
  },
  'Fn::Split': (argument, names) => {
    const [separator, text] = listOf(argument);
    return textOf(raw(text, names)).split(textOf(separator));
  },
  'Fn::Select': (argument, names) => {
    const [index, list] = listOf(argument);
    const selected = listOf(raw(list, names))[Number(index)];
    if (selected === undefined) throw new Error(`Fn::Select finds nothing at ${index}`);
    return selected;
  },
  'Fn::Sub': (argument, names) =>
    textOf(argument).replace(/\$\{([^}!]+)\}/g, (_, name: string) => {
      const [resource, attribute] = name.split('.');
      return attribute === undefined ? names.ref(name) : names.attribute(resource ?? '', attribute);
    }),
};

/** Dynamic references are resolved in the outermost text only, because a part of it may hold a part of a reference. */
const raw = (value: unknown, names: Names): unknown => resolveParts(value, names);

function resolveParts(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((each) => resolveParts(each, names));
  return resolve(value, names);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`No text: ${JSON.stringify(value)}`);
  return String(value);
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`No list: ${JSON.stringify(value)}`);
  return value;
}
