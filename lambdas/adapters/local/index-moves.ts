import type { OpenIndex } from '../../core/reindexing/index-registry.ts';
import { embedder, pageIndex } from './page-index.ts';

/** There is one index for all embedding spaces: a page that is reindexed replaces itself. */
export const openIndex: OpenIndex = async () => ({ index: pageIndex, embedder });
export const dropIndex = async (_: string): Promise<void> => undefined;
