import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { parseRobots } from '../lambdas/core/web/robots.ts';

/*
 * Answers JSON lines { robotstxt, url, userAgent } on stdin with JSON lines { allowed } on stdout, or { error } for one
 * that is none.
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
