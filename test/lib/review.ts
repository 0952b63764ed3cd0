import { type ReadableTemplate, type Resource, resourcesOf } from './readable-template.ts';

/*
 * The parts of a template whose changes a reviewer must see, sorted: resources by type, IAM statements by role or
 * policy, callers of functions, event sources, alarms.
 */

type Statement = Readonly<Record<'Effect' | 'Action' | 'Resource' | 'Principal' | 'Condition', unknown>>;

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value as string]);
export const actionsOf = ({ Action }: Pick<Statement, 'Action'>): readonly string[] => listOf(Action).toSorted();
const sortedText = (value: unknown): string => listOf(value).toSorted().join(', ');

/** The title of the statements that all roles of functions have, so that they appear once. */
const EVERY_ROLE = 'the role of every function';

export function review(template: ReadableTemplate): string {
  return text(sectionsOf(template));
}

/** Reviews a template that resembles another one: shows only its additions and what it lacks. */
export function reviewBeside(template: ReadableTemplate, other: ReadableTemplate): string {
  const others = sectionsOf(other);
  const changes = Object.entries(sectionsOf(template)).map(([title, entries]) => {
    const now = entries.flatMap(linesOf);
    const before = (others[title] ?? []).flatMap(linesOf);
    const added = now.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
    const removed = before.filter((line) => !now.includes(line)).map((line) => `- ${line}`);
    return [title, [...removed, ...added]] as const;
  });
  return text(Object.fromEntries(changes));
}

/** The lines of an entry, each with its first. */
function linesOf(entry: string): readonly string[] {
  const [first = '', ...others] = entry.split('\n');
  return others.length === 0 ? [first] : others.map((line) => `${first}: ${line.trim()}`);
}

type Sections = Readonly<Record<string, readonly string[]>>;

const text = (sections: Sections): string =>
  Object.entries(sections)
    .map(([title, entries]) => `${title}\n${entries.map((entry) => `  ${entry.replaceAll('\n', '\n  ')}\n`).join('')}`)
    .join('\n');

const sectionsOf = (template: ReadableTemplate): Sections => ({
  Resources: counts(template),
  Permissions: permissions(template),
  'Who may call functions': callers(template),
  'Event sources': eventSources(template),
  Alarms: alarms(template),
});

function counts({ Resources }: ReadableTemplate): readonly string[] {
  const kinds = Object.values(Resources).map(
    ({ Type, DeletionPolicy }) => `${Type}${DeletionPolicy?.startsWith('Retain') ? ' (kept)' : ''}`,
  );
  const groups = Map.groupBy(kinds, (kind) => kind);
  return [...groups].map(([kind, { length }]) => `${kind}: ${length}`).toSorted();
}

/** The statements of all roles' policies. */
export const grants = (template: ReadableTemplate): readonly (Statement & { readonly role: string })[] => [
  ...resourcesOf(template, 'AWS::IAM::Policy').flatMap(([, { Properties }]) =>
    statementsIn(Properties).map((statement) => ({ ...statement, role: String(Properties.Roles) })),
  ),
  ...resourcesOf(template, 'AWS::IAM::Role').flatMap(([role, { Properties }]) =>
    statementsIn(Properties.Policies).map((statement) => ({ ...statement, role })),
  ),
];

/** Returns every statement of the template, under its role or else its resource. */
function permissions({ Resources }: ReadableTemplate): readonly string[] {
  const byHolder = new Map<string, string[]>();
  const add = (holder: string, line: string) => byHolder.set(holder, [...(byHolder.get(holder) ?? []), line]);
  for (const [name, { Type, Properties }] of Object.entries(Resources)) {
    const [holder = name] = Type === 'AWS::IAM::Policy' ? (Properties.Roles as readonly string[]) : [];
    const ownLog = `${holder.replace(/-role$/, '')}-log.Arn`;
    for (const statement of statementsIn(Properties)) add(holder, statementLine(statement).replace(ownLog, 'its log'));
    for (const arn of Properties?.ManagedPolicyArns ?? []) add(holder, `allow the managed policy ${arn}`);
  }
  const ofFunctions = [...byHolder].filter(([holder]) => holder.endsWith('-role')).map(([, lines]) => lines);
  const [first = [], ...others] = ofFunctions;
  const shared = first.filter((line) => others.every((lines) => lines.includes(line)));
  const own = [...byHolder].map(([holder, lines]): [string, readonly string[]] =>
    holder.endsWith('-role') ? [holder, lines.filter((line) => !shared.includes(line))] : [holder, lines],
  );
  return [[EVERY_ROLE, shared] as const, ...own.toSorted(([one], [other]) => (one < other ? -1 : 1))].map(
    ([holder, lines]) => [holder, ...lines.toSorted().map((line) => `  ${line}`)].join('\n'),
  );
}

/** Wherever they are: in policies, in a role's trust, in a domain's access policies. */
function statementsIn(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('Statement' in value && Array.isArray(value.Statement)) return value.Statement;
  return Object.values(value).flatMap(statementsIn);
}

function statementLine({ Effect, Action, Resource, Principal, Condition, ...rest }: Statement): string {
  const parts = [
    `${String(Effect).toLowerCase()} ${actionsText(listOf(Action))}`,
    Resource !== undefined && `on ${sortedText(Resource)}`,
    Principal !== undefined && `by ${flat(Principal)}`,
    Condition !== undefined && `if ${flat(Condition)}`,
    Object.keys(rest).length > 0 && flat(rest),
  ];
  return parts.filter((part) => part !== false).join(' ');
}

/** `s3:GetObject` and `s3:PutObject` are `s3:GetObject,PutObject`. */
function actionsText(actions: readonly string[]): string {
  const byService = Map.groupBy(actions.toSorted(), (action) => action.split(':')[0]);
  const nameIn = (action: string) => action.split(':')[1];
  return [...byService].map(([service, names]) => `${service}:${names.map(nameIn).join(',')}`).join(' ');
}

/** Functions with the same callers together. */
function callers(template: ReadableTemplate): readonly string[] {
  const calls = resourcesOf(template, 'AWS::Lambda::Permission').map(([, { Properties }]) => {
    const { FunctionName, Action, ...rest } = Properties;
    return { name: String(FunctionName), call: `${Action} ${flat(rest)}` };
  });
  const byCall = Map.groupBy(calls, ({ call }) => call);
  const entries = [...byCall].map(([call, of]) => `${call}\n${inLines(of.map(({ name }) => name).toSorted())}`);
  return entries.toSorted();
}

const PER_LINE = 4;

const inLines = (names: readonly string[]): string =>
  Array.from(
    { length: Math.ceil(names.length / PER_LINE) },
    (_, line) => `  ${names.slice(line * PER_LINE, (line + 1) * PER_LINE).join(', ')}`,
  ).join('\n');

function eventSources(template: ReadableTemplate): readonly string[] {
  const queues = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => {
    const { EventSourceArn, FunctionName, ...rest } = Properties;
    return `${EventSourceArn} -> ${FunctionName}: ${flat(rest)}`;
  });
  const rules = resourcesOf(template, 'AWS::Events::Rule').flatMap(([name, { Properties }]) => {
    const { Targets, ...rest } = Properties;
    return (Targets as readonly object[]).map((target) => `${name} -> ${flat(target)}: ${flat(rest)}`);
  });
  return [...queues, ...rules].toSorted();
}

const SYMBOLS: Readonly<Record<string, string>> = { GreaterThanThreshold: '>', LessThanThreshold: '<' };

const alarms = (template: ReadableTemplate): readonly string[] =>
  resourcesOf(template, 'AWS::CloudWatch::Alarm')
    .map(([, resource]) => alarmLine(resource))
    .toSorted();

function alarmLine({ Properties }: Resource): string {
  if (Properties.Metrics) return sumLine(Properties);
  const { AlarmName, AlarmDescription: _, AlarmActions = [], Dimensions = [], ...metric } = Properties;
  const {
    Namespace,
    MetricName,
    Statistic,
    ExtendedStatistic,
    Period,
    EvaluationPeriods,
    ComparisonOperator,
    Threshold,
    ...rest
  } = metric;
  const dimensions = (Dimensions as readonly { Name: string; Value: string }[]).map(
    ({ Name, Value }) => `${Name}=${Value}`,
  );
  const condition = `${SYMBOLS[ComparisonOperator] ?? ComparisonOperator} ${Threshold}`;
  const parts = [
    `${AlarmName}: ${Statistic ?? ExtendedStatistic} of ${Namespace} ${MetricName} ${condition}, ` +
      `${EvaluationPeriods} x ${Period} s`,
    dimensions.join(' '),
    flat(rest),
    ...AlarmActions.map((action: string) => `-> ${action}`),
  ];
  return parts.join(', ');
}

/** An alarm of a sum of metrics. */
function sumLine({
  AlarmName,
  AlarmDescription: _,
  Metrics,
  AlarmActions = [],
  ...rest
}: Resource['Properties']): string {
  const { Expression } = Metrics[0];
  return [`${AlarmName}: ${Expression}`, flat(rest), ...AlarmActions.map((action: string) => `-> ${action}`)].join(
    ', ',
  );
}

/** `{ a: { b: 1 } }` is `a.b=1`, so that no property is left out. */
function flat(value: unknown, path = ''): string {
  const isPlain = typeof value !== 'object' || value === null;
  if (isPlain || (Array.isArray(value) && value.every((item) => typeof item !== 'object')))
    return path === '' ? sortedText(value) : `${path}=${sortedText(value)}`;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, item]) => flat(item, path === '' ? key : `${path}.${key}`)).join(' ');
}
