import type { Robots } from '../../../text/web/robots.ts';
import { ROBOTS_TOKEN } from '../../../text/web/user-agent.ts';

/** The decision of robots.txt on a URL. Without a rule, the URL is allowed by default. */
export type RobotsDecision = {
  readonly allowed: boolean;
  readonly rule?: string;
  readonly line?: number;
};

export function robotsDecision(robots: Robots, url: string): RobotsDecision {
  const rule = robots.ruleFor(url, ROBOTS_TOKEN);
  if (!rule) return { allowed: true };
  return { allowed: rule.allow, rule: `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern}`, line: rule.line };
}
