import type * as z from 'zod';
import type { Issue } from './errors.ts';
import { nearestName } from './nearest-name.ts';

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  date: 'a date',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};
const UNITS: Readonly<Record<string, string>> = { array: 'item', string: 'character' };

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  datetime: 'a date and time such as 2026-01-31T12:00:00Z',
  url: 'an absolute URL such as https://example.com/',
  uuid: 'a UUID',
};

/** Phrases an input fault as the end of a sentence: "body.name is required". A schema's own message wins. */
export const inputMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_format':
      return FORMATS[issue.format] === undefined ? 'has the wrong form' : `must be ${FORMATS[issue.format]}`;
    case 'invalid_value':
      return mustBe(issue.values);
    case 'invalid_union':
      return Array.isArray(issue.options) ? mustBe(issue.options) : unionMessage(issue.errors, issue.input);
    case 'invalid_key':
      return `has a name that ${issue.issues[0]?.message ?? 'is not allowed'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'too_small':
      return bound('at least', issue.minimum, issue.origin);
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin);
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MAX_ISSUES)
        .map((key) => unknownField(key, fieldsOf(issue.inst)))
        .join(NEXT_FIELD);
    default:
      return 'is not valid';
  }
};

/** Collects the first faults of an input and counts the others. */
export class InputIssues {
  readonly listed: Issue[] = [];
  more = 0;

  /** Adds faults with their paths below `part`. Each unknown field of an object is a separate fault. */
  add(part: string, faults: readonly z.core.$ZodIssue[]): void {
    for (const fault of faults) {
      const path = [part, ...fault.path];
      const isUnknown = fault.code === 'unrecognized_keys';
      const room = MAX_ISSUES - this.listed.length;
      const messages = (isUnknown ? fault.message.split(NEXT_FIELD) : [fault.message]).slice(0, room);
      messages.forEach((message, index) => {
        const names = isUnknown ? [...path, shown(fault.keys[index])] : path;
        this.listed.push({ path: names.join('.'), message });
      });
      this.more += (isUnknown ? fault.keys.length : 1) - messages.length;
    }
  }

  /** Adds a fault for each unknown parameter, because a parameter without effect would go unnoticed. */
  addUnknownParameters(names: readonly string[], known: readonly string[]): void {
    const unknown = names.filter((name) => !known.includes(name));
    const room = unknown.slice(0, MAX_ISSUES - this.listed.length);
    for (const name of room) this.listed.push({ path: `query.${shown(name)}`, message: unknownParameter(name, known) });
    this.more += unknown.length - room.length;
  }
}

/** Maximum number of faults that an answer lists. */
const MAX_ISSUES = 20;
/** Separates the messages of several unknown fields, which zod reports as one. */
const NEXT_FIELD = '\n';
const MAX_SHOWN_LENGTH = 100;

const shown = (name = ''): string => (name.length > MAX_SHOWN_LENGTH ? `${name.slice(0, MAX_SHOWN_LENGTH)}…` : name);

function unknownField(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const advice = nearest === undefined ? `The fields are ${known.join(', ')}` : `Did you mean ${nearest}?`;
  return `is not a known field. ${advice}`;
}

function unknownParameter(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const all = known.length === 0 ? 'There are none here' : `The parameters are ${known.join(', ')}`;
  return `is not a known parameter. ${nearest === undefined ? all : `Did you mean ${nearest}?`}`;
}

const fieldsOf = (schema: unknown): readonly string[] => Object.keys((schema as Partial<z.ZodObject>)?.shape ?? {});

const mustBe = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`;

type Faults = readonly z.core.$ZodIssue[];

/** Returns the fault of the only shape with the type of the value; else lists all allowed types and formats. */
function unionMessage(errors: readonly Faults[], input: unknown): string {
  if (input === undefined) return 'is required';
  const close = errors.filter(
    (faults) => !faults.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  const [fault] = close[0] ?? [];
  if (close.length === 1 && fault)
    return fault.path.length > 0 ? `has \`${fault.path.join('.')}\`, which ${fault.message}` : fault.message;
  const messages = (close.length > 0 ? close : errors).flatMap(([first]) => first?.message ?? []);
  return [...new Set(messages)].join(' or ').replaceAll(' or must be ', ' or ');
}

function bound(comparison: string, limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `must be ${comparison} ${limit}`
    : `must have ${comparison} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}
