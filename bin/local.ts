import { localOptions } from './local/options.ts';

try {
  const options = localOptions(process.argv.slice(2));
  const { serve } = await import('./local/startup.ts'); // reads the environment, whose faults are told below
  const stop = await serve(options);
  let stopping = false; // a terminal's Ctrl+C comes twice, for npm passes its own on
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!stopping) void stop().then(() => process.exit(0));
      stopping = true;
    });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
