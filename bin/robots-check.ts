import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { parseRobots } from '../lambdas/text/web/robots.ts';

/*
 * Reads JSON lines { robotstxt, url, userAgent } from stdin and writes a line { allowed } for each to stdout, or {
 * error } for an invalid line.
 */

const Question = z.object({ robotstxt: z.string(), url: z.string(), userAgent: z.string() });

function answer(line: string): Readonly<Record<string, unknown>> {
  try {
    const { robotstxt, url, userAgent } = Question.parse(JSON.parse(line));
    return { allowed: parseRobots(robotstxt).allows(url, userAgent) };
  } catch (error) {
    return { error: error instanceof z.ZodError ? z.prettifyError(error) : String(error) };
  }
}

for (const line of (await text(process.stdin)).split('\n')) {
  if (line.trim() !== '') console.log(JSON.stringify(answer(line)));
}
