import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Instruction } from './instructions.ts';

/** A stage on this machine: its root is a folder. */
export type Stage = { readonly root: string; readonly name: string; folder: string; readonly env: NodeJS.ProcessEnv };

/** Tells whether files can be given to the user of the container. */
export const isRoot = process.getuid?.() === 0;

/** Runs the instructions that build a stage; the others say how its container is run. */
export function build(instructions: readonly Instruction[], root: string, source: string, earlier: readonly Stage[]) {
  const [, name = ''] = / AS (\w+)$/.exec(instructions[0]?.value ?? '') ?? [];
  const stage: Stage = { root, name, folder: root, env: { PATH: process.env.PATH, HOME: process.env.HOME } };
  mkdirSync(root, { recursive: true });
  for (const { name, value } of instructions) {
    if (name === 'WORKDIR') stage.folder = join(root, value);
    if (name === 'WORKDIR') mkdirSync(stage.folder, { recursive: true });
    if (name === 'COPY') copy(value.split(/\s+/), stage, source, earlier);
    if (name === 'ENV') setVariable(value, stage);
    if (name === 'RUN') execFileSync('sh', ['-c', onThisMachine(value, root)], { cwd: stage.folder, stdio: 'inherit' });
  }
  return stage;
}

/** Absolute paths are those of the container. */
export function onThisMachine(command: string, root: string): string {
  const rooted = command.replaceAll(/(?<=^|[\s:="])\/(?=\w)/g, `${root}/`);
  return isRoot ? rooted : rooted.replaceAll(/ -[og] \d+/g, '');
}

function copy(words: readonly string[], stage: Stage, source: string, earlier: readonly Stage[]): void {
  const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1];
  const origin = from === undefined ? source : earlier.find(({ name }) => name === from)?.root;
  if (origin === undefined) throw new Error(`The Containerfile copies from a stage that does not exist: ${from}`);
  const files = words.slice(from === undefined ? 0 : 1, -1);
  const target = join(stage.folder, words.at(-1) ?? '');
  for (const file of files) {
    const isFolderOfSeveral = words.at(-1)?.endsWith('/') === true;
    const path = isFolderOfSeveral ? join(target, basename(file)) : target;
    cpSync(join(origin, file), path, { recursive: true, verbatimSymlinks: true });
  }
}

/** Sets a variable. In PATH, the container's folders come first, followed by this machine's, which may be needed. */
function setVariable(value: string, { env, root }: Stage): void {
  const [name = '', text = ''] = value.split(/=(.*)/s);
  env[name] = name === 'PATH' ? `${onThisMachine(text, root)}:${env.PATH}` : text;
}
