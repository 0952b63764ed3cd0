/* Runs a worker like its Lambda function, on the engines of the environment: `run-worker.ts NAME EVENT`. */
const [, , name, event = '{}'] = process.argv;
const { handler } = (await import(`../../lambdas/workers/${name}.ts`)) as {
  readonly handler: (event: unknown) => Promise<unknown>;
};
console.log(JSON.stringify((await handler(JSON.parse(event))) ?? null));
process.exit(0);
