import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { AppError, RateLimitedError } from '../../lambdas/domain/errors.ts';
import type { ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { SMALL_BODY_BYTES } from '../../lambdas/runtime/body.ts';
import { clock } from '../../lambdas/runtime/system.ts';
import { takeSignInToken } from '../sqlite/sign-in-token.ts';
import { BodyMemory } from './request-body.ts';

/** The path at which the dashboard exchanges the token of a link for the key of this machine. */
export const SIGN_IN_PATH = '/app/session';

const MAX_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.)/;
const USED = 'This link was used before, or is older than an hour. `npm run --silent admin -- link` prints a new one.';

const Body = z.object({ token: z.string().min(1).max(200) });

export type SignIn = (request: IncomingMessage) => Promise<ApiResponse>;

/** Exchanges a token for the local key, for a page of this server on this machine. */
export function signInBy(dataDir: string, apiKey: () => string | undefined): SignIn {
  const bodies = new BodyMemory();
  const calls: number[] = [];
  return async (request) => {
    assertOwnPage(request);
    admit(calls);
    const held = await bodies.read(request, async () => SMALL_BODY_BYTES);
    const key = apiKey();
    try {
      const token = tokenIn(held.take());
      if (key === undefined || !(await takeSignInToken(token, dataDir, clock)))
        throw new AppError('unauthorized', USED);
    } finally {
      held.release();
    }
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
    return { statusCode: 200, headers, body: JSON.stringify({ apiKey: key }) };
  };
}

/** Refuses other machines and pages of other origins. A browser sends `Origin` with every POST. */
function assertOwnPage({ headers, socket }: IncomingMessage): void {
  const origin = URL.parse(headers.origin ?? '');
  const isOwn = origin?.host === headers.host && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
  if (isOwn && LOOPBACK.test(socket.remoteAddress ?? '')) return;
  throw new AppError('origin_not_allowed', 'Only the dashboard of this service on this machine may sign in like this.');
}

function admit(calls: number[]): void {
  const now = clock();
  while (calls[0] !== undefined && calls[0] <= now - MINUTE_MS) calls.shift();
  const oldest = calls[0];
  if (oldest === undefined || calls.length < MAX_PER_MINUTE) {
    calls.push(now);
    return;
  }
  const seconds = Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000));
  throw new RateLimitedError(`Too many sign-ins. Try again in ${seconds} s.`, seconds);
}

function tokenIn(body: Buffer): string {
  try {
    return Body.parse(JSON.parse(body.toString('utf8'))).token;
  } catch (cause) {
    throw new AppError('invalid_request', 'The body must be {"token": "…"}', { cause });
  }
}
