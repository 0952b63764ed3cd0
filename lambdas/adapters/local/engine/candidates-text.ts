import type { Candidates } from '../../ports.ts';

/* Candidates go from thread to thread as JSON: a hundred pages of evidence cost half of what cloning them does. */

export function candidatesAsText({ statistics, ...others }: Candidates): string {
  return JSON.stringify({ statistics: [...statistics], ...others });
}

export function candidatesFromText(text: string): Candidates {
  const { statistics, ...others } = JSON.parse(text);
  return { statistics: new Map(statistics), ...others };
}
