export type ResourceNames = {
  readonly table: string;
  readonly searchDomain: string;
  /** The prefix of a queue's name. The name in `messages.ts` follows, and `.fifo` for a FIFO queue. */
  readonly queuePrefix: string;
  readonly scheduleGroup: string;
};

/**
 * The longest stack name. A bucket's name has at most 63 characters: the stack's, `-edge-logs-`, the account and
 * `-ap-southeast-1`.
 */
const MAX_LENGTH = 25;

/**
 * Derives names from the stack's name, so that `npm run admin` and a stack that is deployed again find the resources.
 */
export function resourceNames(stackName: string): ResourceNames {
  if (stackName.length > MAX_LENGTH || !/^[a-z][a-z0-9-]{2,}$/.test(stackName))
    throw new Error(`A stack's name has 3 to ${MAX_LENGTH} characters of a-z, 0-9 and -, and begins with a letter`);
  return {
    table: stackName,
    searchDomain: stackName,
    queuePrefix: `${stackName}-`,
    scheduleGroup: stackName,
  };
}
