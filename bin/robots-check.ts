import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { parseRobots } from '../lambdas/core/web/robots.ts';

/* Answers JSON lines { robotstxt, url, userAgent } on stdin with JSON lines { allowed } on stdout. */

const Question = z.object({ robotstxt: z.string(), url: z.string(), userAgent: z.string() });

for (const line of (await text(process.stdin)).split('\n')) {
  if (line.trim() === '') continue;
  const { robotstxt, url, userAgent } = Question.parse(JSON.parse(line));
  console.log(JSON.stringify({ allowed: parseRobots(robotstxt).allows(url, userAgent) }));
}
