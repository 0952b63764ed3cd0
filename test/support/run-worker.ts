/* Runs a worker of AWS in a process of its own, as its function does, on the engines that the environment names: `run-worker.ts NAME EVENT`. */
const [, , name, event = '{}'] = process.argv;
const { handler } = (await import(`../../lambdas/workers/${name}.ts`)) as {
  readonly handler: (event: unknown) => Promise<unknown>;
};
console.log(JSON.stringify((await handler(JSON.parse(event))) ?? null));
process.exit(0);
