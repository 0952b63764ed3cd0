import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createDataFolder } from './local/data-folder.ts';
import { localOptions, USAGE } from './local/options.ts';

// Compiled code is kept, for threads too: they start in half the time, and need no compiler of TypeScript.
// biome-ignore lint/style/noProcessEnv: threads learn of the folder by the variable
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/site-search', import.meta.url));
enableCompileCache();

try {
  const options = localOptions(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    process.exit(0);
  }
  createDataFolder(options.dataDir);
  // Imported here, so that an invalid environment is reported below, and a data folder at once.
  const { startService } = await import('./local/startup.ts');
  const stop = await startService(options);
  let stopping = false; // Ctrl+C arrives twice, because npm forwards the signal too
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
