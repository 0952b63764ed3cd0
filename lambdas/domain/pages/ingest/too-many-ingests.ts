import { AppError } from '../../errors.ts';

/** Returns the error for a request that would begin too late to be answered in time. */
export const tooManyIngests = (): AppError =>
  new AppError('upstream_unavailable', 'Too many pages are being ingested. Send the request again in a few seconds.');
