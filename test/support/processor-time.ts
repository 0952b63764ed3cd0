/** Starts to measure; returns a function that gives this thread's processor time since then, in milliseconds. */
export function processorTime(): () => number {
  const start = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  };
}
