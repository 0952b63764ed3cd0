export type ResourceNames = {
  readonly table: string;
  readonly searchDomain: string;
  /** What the name of every queue begins with; its name in `messages.ts` follows, and `.fifo` if it is one. */
  readonly queuePrefix: string;
};

/** The longest that leaves room for the names of the queues, and is all that a search domain may have. */
const MOST_CHARACTERS = 28;

/**
 * Names that follow from the stack's own: `npm run admin` finds what it asks for without a look-up, and a stack that was taken down
 * finds the data again that it left.
 */
export function resourceNames(stackName: string): ResourceNames {
  if (stackName.length > MOST_CHARACTERS || !/^[a-z][a-z0-9-]{2,}$/.test(stackName))
    throw new Error(`A stack's name has 3 to ${MOST_CHARACTERS} of a-z, 0-9 and -, and begins with a letter`);
  return {
    table: stackName,
    searchDomain: stackName,
    queuePrefix: `${stackName}-`,
  };
}
