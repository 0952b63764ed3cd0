import { withinEditDistance } from '../text/words/edit-distance.ts';

const MAX_NAME_LENGTH = 64;

/** Returns the known name closest to a misspelt one, ignoring case; undefined if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const written = name.toLowerCase();
  const most = Math.ceil(written.length / 3);
  for (let edits = 0; edits <= most; edits++) {
    const near = known.find((candidate) => withinEditDistance(written, candidate.toLowerCase(), edits));
    if (near !== undefined) return near;
  }
  return undefined;
}
