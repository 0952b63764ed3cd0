import type * as z from 'zod';
import type { Issue } from './errors.ts';
import { nearestName } from './nearest-name.ts';

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
      return issue.keys
        .slice(0, MOST_UNKNOWN_FIELDS)
        .map((key) => unknownField(key, fieldsOf(issue.inst)))
        .join(NEXT_FIELD);
    default:
      return undefined;
  }
};

/** Faults with their paths below `part`; each unknown field of an object is one of its own. */
export const inputIssues = (part: string, faults: readonly z.core.$ZodIssue[]): readonly Issue[] =>
  faults.flatMap((fault) => {
    const path = [part, ...fault.path];
    if (fault.code !== 'unrecognized_keys') return { path: path.join('.'), message: fault.message };
    const messages = fault.message.split(NEXT_FIELD);
    return messages.map((message, index) => ({ path: [...path, shown(fault.keys[index])].join('.'), message }));
  });

/** Between the messages of several unknown fields, which zod reports together. */
const NEXT_FIELD = '\n';
/** Of one object. */
const MOST_UNKNOWN_FIELDS = 20;
const LONGEST_SHOWN = 100;

const shown = (name = ''): string => (name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name);

function unknownField(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const advice = nearest === undefined ? `The fields are ${known.join(', ')}` : `Did you mean ${nearest}?`;
  return `is not a known field. ${advice}`;
}

const fieldsOf = (schema: unknown): readonly string[] => Object.keys((schema as Partial<z.ZodObject>)?.shape ?? {});

function bound(comparison: string, limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `must be ${comparison} ${limit}`
    : `must have ${comparison} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}
