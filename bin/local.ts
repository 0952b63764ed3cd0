import '../local/server/node-options.ts';
import { localOptions, USAGE } from '../local/server/options.ts';
import { onStop } from '../local/server/stop-signals.ts';
import { createDataFolder } from '../local/sqlite/data-folder.ts';

try {
  const options = localOptions(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    process.exit(0);
  }
  createDataFolder(options.dataDir);
  // Imported here, so that an error of an invalid environment or data folder is reported below.
  const { startService } = await import('../local/server/startup.ts');
  const stop = await startService(options);
  onStop(() => void stop().then(() => process.exit(0)));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
