import { localOptions } from './local/options.ts';

try {
  const options = localOptions(process.argv.slice(2));
  const { serve } = await import('./local/serve.ts'); // reads the environment, whose faults are told below
  const stop = await serve(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
