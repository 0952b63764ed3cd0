import { matchesGlob } from './glob.ts';
import { type RobotsRule, robotsPath, robotsRule } from './robots-rule.ts';

/** A parsed robots.txt. An agent is a product token such as "sitesearchbot"; a version after it is ignored. */
export type Robots = {
  /** Whether the agent may fetch a URL, which must be in the spelling of `normaliseUrl`. */
  allows(url: string, agent: string): boolean;
  /** The line that decides about a URL for the agent; undefined if none applies, which allows it. */
  ruleFor(url: string, agent: string): WrittenRule | undefined;
  /** Seconds between fetches, from the agent's group. */
  crawlDelay(agent: string): number | undefined;
  /** The values of the Sitemap lines as written, each once. */
  readonly sitemaps: readonly string[];
};

/** A rule as it is written, with the number of its line, from 1. */
export type WrittenRule = RobotsRule & { readonly line: number; readonly pattern: string };

/** The lines after one or more adjacent User-agent lines. */
type Group = { readonly rules: WrittenRule[]; delay?: number; hasRules: boolean };
type Line = { readonly key: string; readonly value: string; readonly number: number };
type Choice = { readonly rules: readonly WrittenRule[]; readonly delay: number | undefined };

const MAX_CHARACTERS = 500 * 1024;
/** A byte order mark, whole or in part, read as UTF-8 or byte by byte. */
const BYTE_ORDER_MARK = /^(?:\ufeff|\ufffd{1,3}|\u00ef\u00bb?\u00bf?)/;
const KEYS: ReadonlyMap<string, 'agent' | 'allow' | 'disallow' | 'delay' | 'sitemap'> = new Map([
  ['user-agent', 'agent'],
  ['useragent', 'agent'],
  ['user agent', 'agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['disalow', 'disallow'],
  ['crawl-delay', 'delay'],
  ['sitemap', 'sitemap'],
]);

/** Parses the first 500 KiB of a robots.txt by RFC 9309. Accepts any text: unknown lines are ignored. */
export function parseRobots(text: string): Robots {
  const { groups, sitemaps } = readGroups(text);
  const choices = new Map<string, Choice>();
  const choiceOf = (agent: string): Choice => {
    const token = agent.split('/', 1)[0]?.trim().toLowerCase() ?? '';
    const known = choices.get(token);
    if (known !== undefined) return known;
    const choice = choose(groups.get(token) ?? groups.get('*') ?? []);
    choices.set(token, choice);
    return choice;
  };
  const ruleFor = (url: string, agent: string): WrittenRule | undefined => {
    const path = robotsPath(url);
    return path === '/robots.txt' ? undefined : choiceOf(agent).rules.find((rule) => matchesGlob(rule, path));
  };
  return {
    allows: (url, agent) => ruleFor(url, agent)?.allow ?? true,
    ruleFor,
    crawlDelay: (agent) => choiceOf(agent).delay,
    sitemaps,
  };
}

/** Returns the rules of an agent in order of precedence: longer ones first, and Allow before Disallow. */
function choose(groups: readonly Group[]): Choice {
  const rules = groups.flatMap((group) => group.rules);
  rules.sort((a, b) => b.octets - a.octets || Number(b.allow) - Number(a.allow));
  const delays = groups.flatMap((group) => group.delay ?? []);
  return { rules, delay: delays.length > 0 ? delays.reduce((a, b) => Math.max(a, b)) : undefined };
}

function readGroups(text: string): { groups: ReadonlyMap<string, readonly Group[]>; sitemaps: readonly string[] } {
  const groups = new Map<string, Group[]>();
  const sitemaps = new Set<string>();
  let group: Group | undefined;
  for (const line of linesOf(text)) {
    const kind = KEYS.get(line.key);
    if (kind === 'agent') {
      if (group === undefined || group.hasRules) group = { rules: [], hasRules: false };
      addGroup(groups, agentToken(line.value), group);
    } else if (kind === 'sitemap') {
      if (line.value !== '') sitemaps.add(line.value);
    } else if (group !== undefined && kind !== undefined) {
      addLine(group, kind, line);
    }
  }
  return { groups, sitemaps: [...sitemaps] };
}

function addGroup(groups: Map<string, Group[]>, token: string, group: Group): void {
  const list = groups.get(token) ?? [];
  if (list.at(-1) !== group) list.push(group);
  groups.set(token, list);
}

/** Adds a line to a group. Only a rule ends a run of User-agent lines; other records must not (RFC 9309, 2.2.4). */
function addLine(group: Group, kind: 'allow' | 'disallow' | 'delay', { value, number }: Line): void {
  if (kind === 'delay') {
    const seconds = Number.parseFloat(value);
    if (seconds >= 0 && Number.isFinite(seconds)) group.delay = Math.max(group.delay ?? 0, seconds);
    return;
  }
  group.hasRules = true;
  if (value !== '') group.rules.push({ ...robotsRule(kind === 'allow', value), line: number, pattern: value });
}

/** Returns an agent's token: "foobot" for "FooBot/1.0", "foo" for "Foo Bot". The empty token matches no agent. */
function agentToken(value: string): string {
  return /^[^\s/,;()]+/.exec(value)?.[0].toLowerCase() ?? '';
}

function* linesOf(text: string): Generator<Line> {
  for (const [index, raw] of readable(text)
    .split(/\r\n?|\n/)
    .entries()) {
    const line = trimBlanks(raw.split('#', 1)[0] ?? '');
    if (line === '') continue;
    const colon = line.indexOf(':');
    // "disallow /" lacks only the colon; a sentence is not a rule.
    const cut = colon < 0 ? /^[^ \t]+(?=[ \t]+[^ \t]+$)/.exec(line)?.[0].length : colon;
    if (cut === undefined) continue;
    const key = trimBlanks(line.slice(0, cut)).toLowerCase();
    yield { key, value: trimBlanks(line.slice(cut + 1)), number: index + 1 };
  }
}

/** Drops a line that the size limit cuts, because half a path is a different rule. */
function readable(text: string): string {
  const start = text.slice(0, MAX_CHARACTERS + 1).replace(BYTE_ORDER_MARK, '');
  if (text.length <= MAX_CHARACTERS) return start;
  return start.slice(0, Math.max(0, start.lastIndexOf('\n'), start.lastIndexOf('\r')));
}

function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/** Returns whether a character is blank. `trim()` would also remove a byte order mark inside the text. */
function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
