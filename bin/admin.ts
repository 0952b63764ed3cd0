import { faultLines, run } from '../local/admin/command-line.ts';

/* `npm run admin`: prints a JSON object, or the usage. */

const args = process.argv.slice(2);
try {
  console.log(await run(args));
} catch (error) {
  for (const line of faultLines(error, args)) console.error(line);
  process.exitCode = 1;
}
