/** The methods of a port in a store, where they return at once. */
export type SyncPort<Port> = {
  readonly [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};
