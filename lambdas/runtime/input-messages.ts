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
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date (YYYY-MM-DD)',
  datetime: 'an ISO 8601 time with a time zone',
  url: 'a URL',
  uuid: 'a UUID',
};
const UNITS: Readonly<Record<string, string>> = { array: 'item', string: 'character' };

/** Writes an input fault so that it continues the field's path: "body.name is required". Otherwise zod's own message stays. */
export const inputMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      return bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin);
    case 'too_big':
      return bound(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin);
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_format':
      return FORMATS[issue.format] && `must be ${FORMATS[issue.format]}`;
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
