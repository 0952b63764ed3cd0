import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

/** A regular expression of the product. */
export type ProductPattern = { readonly file: string; readonly source: string; readonly flags: string };

/** The folders whose modules read what strangers write. */
const FOLDERS = [
  'lambdas/text',
  'lambdas/domain',
  'lambdas/aws',
  'lambdas/connectors',
  'lambdas/runtime',
  'local/server',
];
/** Builds patterns for others. */
const BUILDER = 'lambdas/text/long-pattern.ts';
const RECORDER = fileURLToPath(new URL('record-built.ts', import.meta.url));

/** `unseen`: files that build a pattern later than at their import, where nobody finds it. */
export type Found = { readonly patterns: readonly ProductPattern[]; readonly unseen: readonly string[] };

/** All regular expressions of the product: literals as the parser finds them, others as the modules build them. */
export function productPatterns(project: string, folders = FOLDERS): Found {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: project }));
  const literals: ProductPattern[] = [];
  const calls = new Map<string, number>();
  for (const file of files) {
    const tree = parseSync(readFileSync(`${project}/${file}`, 'utf8'), { syntax: 'typescript', target: 'es2024' });
    eachNode(tree, (node) => {
      if (node.type === 'RegExpLiteral')
        literals.push({ file, source: String(node.pattern), flags: String(node.flags ?? '') });
      if (buildsPattern(node) && file !== BUILDER) calls.set(file, (calls.get(file) ?? 0) + 1);
    });
  }
  const built = builtPatterns(project, [...calls.keys()]);
  const seen = (file: string): number => new Set(built.filter((one) => one.file === file).map(({ line }) => line)).size;
  const unseen = [...calls].filter(([file, count]) => seen(file) < count).map(([file]) => file);
  return { patterns: [...literals, ...built], unseen };
}

type Node = Readonly<Record<string, unknown>>;

function eachNode(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value as Node);
  for (const child of Object.values(value)) eachNode(child, visit);
}

function buildsPattern({ type, callee }: Node): boolean {
  if (type !== 'NewExpression' && type !== 'CallExpression') return false;
  const { value } = callee as Node;
  return value === 'RegExp' || value === 'longPattern';
}

function builtPatterns(project: string, files: readonly string[]): readonly (ProductPattern & { line: number })[] {
  const args = [RECORDER, project, ...files];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 24 }));
}
