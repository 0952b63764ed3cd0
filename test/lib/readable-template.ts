import type { Template } from './template-parts.ts';

/*
 * A template as a person reads it: references as `${Name.Attribute}`, lists of words in one line, and no hash in it, so that its
 * snapshot changes only when what is deployed changes.
 */

export const readable = (template: Template): string =>
  Object.entries(template.Resources)
    .filter(([, { Type }]) => Type !== 'AWS::CDK::Metadata')
    .map(([name, { Type, Properties, DeletionPolicy }]) => {
      const kept = DeletionPolicy === 'Retain' ? ' (kept)' : '';
      return `${nameOf(name)}: ${Type}${kept}\n${lines(Properties ?? {}, '  ')}`;
    })
    .join('\n');

const nameOf = (logicalId: string): string =>
  logicalId.replace(/[0-9a-f]{32}$/, '').replace(/[0-9A-F]{8}(?:[0-9A-F]{8})*$/, '');
const withoutHashes = (text: string): string =>
  text.replace(/[0-9a-f]{64}/g, 'HASH').replace(/\b[A-Za-z]+[0-9A-F]{8}\b/g, nameOf);

/** A value that fits behind its name; undefined for one that needs lines of its own. */
function inline(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return withoutHashes(String(value));
  if (Array.isArray(value)) {
    const items = value.map(inline);
    return items.every((item) => item !== undefined && !item.includes('\n')) ? `[${items.join(', ')}]` : undefined;
  }
  const [[key, argument] = ['', ''], ...others] = Object.entries(value);
  if (key === '') return '{}';
  return others.length > 0 ? undefined : reference(key, argument);
}

function reference(key: string, argument: unknown): string | undefined {
  if (key === 'Ref') return `\${${nameOf(String(argument))}}`;
  if (key === 'Fn::Sub') return withoutHashes(String(argument));
  if (!Array.isArray(argument)) return undefined;
  if (key === 'Fn::GetAtt') return `\${${nameOf(String(argument[0]))}.${argument[1]}}`;
  if (key === 'Fn::Join') return argument[1].map(inline).join(argument[0]);
  if (key === 'Fn::Select' || key === 'Fn::Split') return `${key.slice(4)}(${argument.map(inline).join(', ')})`;
  return undefined;
}

function lines(value: object, indent: string): string {
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${block(item, `${indent}  `).trimStart()}`).join('');
  return Object.entries(value)
    .map(([name, item]) => {
      const text = inline(item);
      return text === undefined ? `${indent}${name}:\n${lines(item, `${indent}  `)}` : `${indent}${name}: ${text}\n`;
    })
    .join('');
}

function block(item: object, indent: string): string {
  const text = inline(item);
  return text === undefined ? lines(item, indent) : `${text}\n`;
}
