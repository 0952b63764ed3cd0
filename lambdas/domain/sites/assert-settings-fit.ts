import { AppError } from '../errors.ts';

const MAX_BYTES = 300_000;

/**
 * Throws if the settings do not fit into one item of the table, also as part of a job. The limits of the single fields
 * would allow more.
 */
export function assertSettingsFit(settings: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes <= MAX_BYTES) return;
  const message = `together hold at most ${MAX_BYTES / 1000} kB, not ${Math.ceil(bytes / 1000)} kB`;
  throw new AppError('invalid_request', `The settings ${message}`, { issues: [{ path: 'body', message }] });
}
