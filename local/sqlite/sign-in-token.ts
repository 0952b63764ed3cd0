import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../lambdas/domain/clock.ts';

/*
 * The token of the link by which a person on this machine signs in to the dashboard. It works once and for an hour. The
 * file in the data folder has only its hash, so that an admin command can replace it beside a running server.
 */

const FILE_NAME = 'sign-in';
const LIFETIME_MS = 3_600_000;
const BYTES = 32;

type Stored = { readonly hash: string; readonly expiresAt: number };

/** Makes a token. Earlier ones no longer work. */
export async function newSignInToken(dataDir: string, clock: Clock): Promise<string> {
  const token = randomBytes(BYTES).toString('base64url');
  const stored: Stored = { hash: hashOf(token).toString('hex'), expiresAt: clock() + LIFETIME_MS };
  const file = join(dataDir, FILE_NAME);
  await writeFile(`${file}.part`, JSON.stringify(stored), { mode: 0o600 });
  await rename(`${file}.part`, file);
  return token;
}

/** Uses a token up. Returns false for any other than the last one, and for one that was used or is an hour old. */
export async function takeSignInToken(token: string, dataDir: string, clock: Clock): Promise<boolean> {
  const stored = await readStored(dataDir);
  if (!stored || stored.expiresAt <= clock()) return false;
  const expected = Buffer.from(stored.hash, 'hex');
  const given = hashOf(token);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return false;
  return removeOnce(dataDir);
}

export const forgetSignInToken = (dataDir: string): Promise<void> => rm(join(dataDir, FILE_NAME), { force: true });

/** Returns false if another request has removed the file first. */
async function removeOnce(dataDir: string): Promise<boolean> {
  try {
    await unlink(join(dataDir, FILE_NAME)); // `rm` succeeds for both of two calls at once
    return true;
  } catch {
    return false;
  }
}

async function readStored(dataDir: string): Promise<Stored | undefined> {
  try {
    const { hash, expiresAt } = JSON.parse(await readFile(join(dataDir, FILE_NAME), 'utf8'));
    return typeof hash === 'string' && typeof expiresAt === 'number' ? { hash, expiresAt } : undefined;
  } catch {
    return undefined;
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
