import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a file of `test/` in a separate process. Its stdout is returned as text, its stderr is shown. */
export function startProcess(file: string, ...args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: process.env, // with variables that the test has set
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.setEncoding('utf8');
  return child;
}

export async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return output;
}
