export type ResourceNames = {
  readonly table: string;
  readonly searchDomain: string;
  /** A queue is named by this prefix, its name in `messages.ts`, and `.fifo` if it is a FIFO queue. */
  readonly queuePrefix: string;
};

/** The limit of OpenSearch Service for a domain's name. */
const MAX_LENGTH = 28;

/**
 * Names derived from the stack's name: `npm run admin` needs no look-up, and a stack that is deployed again finds the
 * data that its predecessor left.
 */
export function resourceNames(stackName: string): ResourceNames {
  if (stackName.length > MAX_LENGTH || !/^[a-z][a-z0-9-]{2,}$/.test(stackName))
    throw new Error(`A stack's name has 3 to ${MAX_LENGTH} characters of a-z, 0-9 and -, and begins with a letter`);
  return {
    table: stackName,
    searchDomain: stackName,
    queuePrefix: `${stackName}-`,
  };
}
