import type * as z from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};
const UNITS: Readonly<Record<string, string>> = { array: 'item', string: 'character' };

/** Writes an input fault as the end of a sentence: "body.name is required". For other faults, zod's message stays. */
export const inputMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      return bound('at least', issue.minimum, issue.origin);
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin);
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    default:
      return undefined;
  }
};

function bound(comparison: string, limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `must be ${comparison} ${limit}`
    : `must have ${comparison} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}
