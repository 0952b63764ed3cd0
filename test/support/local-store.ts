import { closeStore, openStore } from '../../local/threads/open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Opens the local adapters on a new store. Returns a function that closes and removes it. */
export async function openLocalStore(): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  await openStore(folder.path);
  return async () => {
    await closeStore();
    folder.remove();
  };
}
