import { AppError } from './errors.ts';

/** Returns the error for a cursor that the list cannot have given: an empty answer would mean the end of the list. */
export function unknownCursor(): AppError {
  const message = 'must be a `nextCursor` that this list has given, with the same filters';
  const issues = [{ path: 'query.cursor', message }];
  return new AppError('invalid_request', `Invalid request: query.cursor ${message}`, { issues });
}
