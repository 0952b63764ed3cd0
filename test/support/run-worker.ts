import { registerHooks } from 'node:module';

/* Runs a worker like its Lambda function, on the engines of the environment: `run-worker.ts NAME EVENT`. */

registerHooks({
  resolve: (specifier, context, next) => next(specifier, { ...context, conditions: [...context.conditions, 'aws'] }),
});
const [, , name, event = '{}'] = process.argv;
const { handler } = (await import(`../../lambdas/workers/${name}.ts`)) as {
  readonly handler: (event: unknown, context: object) => Promise<unknown>;
};
const context = { getRemainingTimeInMillis: () => 120_000 };
console.log(JSON.stringify((await handler(JSON.parse(event), context)) ?? null));
process.exit(0);
