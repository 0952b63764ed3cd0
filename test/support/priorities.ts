import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { helpInBackground } from '../../lambdas/connectors/worker-thread.ts';

/* Prints the priority of the main thread and those of all others, on Linux. */

helpInBackground();
const others = readdirSync('/proc/self/task').filter((thread) => thread !== String(process.pid));
console.log(JSON.stringify({ main: getPriority(), others: others.map((thread) => getPriority(Number(thread))) }));
