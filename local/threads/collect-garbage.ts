import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects the garbage of this thread, which takes about 30 ms. For a thread that has let go of much memory: V8 waits
 * until the thread makes new objects, and an idle one makes none.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
