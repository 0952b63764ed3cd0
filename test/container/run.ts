import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build, isRoot, onThisMachine, type Stage } from './build.ts';
import { type Instruction, stagesOf, valueIn } from './instructions.ts';

/*
 * Runs the steps of the Containerfile in folders, because no container engine is at hand: both stages, the command as
 * the user of the container, the health check, the pages, a clean stop, and a second start on the same volume.
 */

const SOURCE = new URL('../../', import.meta.url).pathname;
const PORT = '18787';
const MAX_CHECKS = 60;
const STOP_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'site-search-container-'));
chmodSync(folder, 0o755); // the user of the container must reach it
try {
  const stages: Stage[] = [];
  const described = stagesOf(readFileSync(join(SOURCE, 'Containerfile'), 'utf8'));
  for (const [index, instructions] of described.entries())
    stages.push(build(instructions, join(folder, String(index)), SOURCE, stages));
  const [image, instructions] = [stages.at(-1), described.at(-1)];
  if (!image || !instructions) throw new Error('The Containerfile has no stage');
  assertSmall(image);
  const first = await runOnce(image, instructions);
  const second = await runOnce(image, instructions);
  if (first !== second) throw new Error('The second start on the volume made another key: the data was not kept');
  console.log('The container becomes healthy, stops within 10 s with code 0, and keeps its data');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Development packages are not in the image. */
function assertSmall({ folder: app }: Stage): void {
  for (const name of ['jest', 'aws-cdk-lib', 'typescript', '@dynoxide/linux-x64']) {
    if (statSync(join(app, 'node_modules', name), { throwIfNoEntry: false }))
      throw new Error(`The image has the development package ${name}`);
  }
}

/** Starts the container, waits until it is healthy, stops it, and answers the key that it has stored. */
async function runOnce(image: Stage, instructions: readonly Instruction[]): Promise<string> {
  const [command = '', ...args] = JSON.parse(onThisMachine(valueIn(instructions, 'CMD'), image.root)) as string[];
  const options = { cwd: image.folder, env: { ...image.env, PORT, HOST: '127.0.0.1' }, ...userOf(instructions) };
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    await untilHealthy(child, valueIn(instructions, 'HEALTHCHECK').replace(/^.*CMD /, ''), options);
    await assertPages();
    const key = readFileSync(join(image.root, 'data/local-key'), 'utf8');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
    if (code !== 0) throw new Error(`The container ended with code ${code} after SIGTERM`);
    return key;
  } finally {
    child.kill('SIGKILL');
  }
}

/** The files for browsers were built into the image, since the user of the container may not write there. */
async function assertPages(): Promise<void> {
  for (const path of ['/', '/app', '/docs', '/v1/site-search.js']) {
    const { status } = await fetch(`http://127.0.0.1:${PORT}${path}`);
    if (status !== 200) throw new Error(`The container answers ${status} to ${path}`);
  }
}

function userOf(instructions: readonly Instruction[]): { readonly uid?: number; readonly gid?: number } {
  const [uid = 0, gid = 0] = valueIn(instructions, 'USER').split(':').map(Number);
  if (uid === 0) throw new Error('The container must not run as root');
  return isRoot ? { uid, gid } : {};
}

async function untilHealthy(child: ChildProcess, check: string, options: object): Promise<void> {
  for (let checks = 0; checks < MAX_CHECKS; checks++) {
    if (child.exitCode !== null) throw new Error(`The container ended with code ${child.exitCode}`);
    const isHealthy = promisify(execFile)('sh', ['-c', check], options).then(
      () => true,
      () => false,
    );
    if (await isHealthy) return;
    await delay(500);
  }
  throw new Error('The container did not become healthy within its checks');
}
