import { AppError } from '../errors.ts';

const MOST_BYTES = 300_000;

/** Settings are one item, and so are those of a job: the bounds of their fields would together allow more. */
export function assertFits(settings: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes <= MOST_BYTES) return;
  const message = `together hold at most ${MOST_BYTES / 1000} kB, not ${Math.ceil(bytes / 1000)} kB`;
  throw new AppError('invalid_request', `The settings ${message}`, { issues: [{ path: 'body', message }] });
}
