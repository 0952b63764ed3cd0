import { matchesWildcard } from './wildcard.ts';

/** Facts about a request: the values of its condition keys. A key without values is absent. */
export type Context = Readonly<Record<string, readonly string[]>>;
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

type Operator = (asked: readonly string[], actual: readonly string[]) => boolean;

const any =
  (matches: (asked: string, actual: string) => boolean): Operator =>
  (asked, actual) =>
    actual.some((value) => asked.some((one) => matches(one, value)));

const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: any((asked, actual) => asked === actual),
  ArnEquals: any(matchesWildcard),
  ArnLike: any(matchesWildcard),
  Bool: any((asked, actual) => asked === actual),
  // All values of the request match; a request without the key matches too.
  'ForAllValues:StringLike': (asked, actual) =>
    actual.every((value) => asked.some((pattern) => matchesWildcard(pattern, value))),
};

/** The keys whose values test/stack gives, or knows to be absent. */
const KNOWN_KEYS = new Set([
  ...['aws:SecureTransport', 'aws:SourceArn', 'aws:SourceAccount', 'dynamodb:LeadingKeys', 'iam:PassedToService'],
]);

/** Tells whether all conditions of a statement hold. Throws at an operator or a key that it does not know. */
export function conditionsHold(conditions: Conditions = {}, context: Context): boolean {
  return Object.entries(conditions).every(([name, keys]) => {
    const operator = OPERATORS[name];
    if (!operator) throw new Error(`A policy has the condition ${name}, which test/stack does not know`);
    return Object.entries(keys).every(([written, asked]) => {
      const key = written.replace(/^AWS:/, 'aws:'); // names of keys are compared without case
      if (!KNOWN_KEYS.has(key)) throw new Error(`A policy asks for ${key}, which test/stack does not know`);
      return operator([asked].flat(), context[key] ?? []);
    });
  });
}
