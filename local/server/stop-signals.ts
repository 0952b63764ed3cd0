const CHECK_MS = 100;

const { env, ppid: parent } = process;

/**
 * Calls `stop` once, on SIGINT or SIGTERM. Under npm, also when the parent process has ended: npm passes a signal to
 * the shell that it started, and some shells end without forwarding it.
 */
export function onStop(stop: () => void): void {
  let isStopping = false; // Ctrl+C arrives twice, because npm forwards the signal too
  const stopOnce = (): void => {
    if (!isStopping) stop();
    isStopping = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopOnce);
  if (env.npm_lifecycle_event === undefined) return;
  setInterval(() => {
    if (process.ppid !== parent) stopOnce();
  }, CHECK_MS).unref();
}
