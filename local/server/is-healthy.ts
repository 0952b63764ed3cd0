import * as z from 'zod';

/* Exits with code 0 if the service on this machine is ready, for container engines. */

// biome-ignore lint/style/noProcessEnv: without the other variables, which may be those of another service
const { PORT } = z.object({ PORT: z.string().regex(/^\d+$/).default('8787') }).parse(process.env);
const response = await fetch(`http://127.0.0.1:${PORT}/health`, { signal: AbortSignal.timeout(4000) }).catch(
  () => undefined,
);
process.exitCode = response?.ok ? 0 : 1;
