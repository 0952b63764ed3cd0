import type { IndexReader } from '../../lambdas/domain/ports/index-reader.ts';
import { pageIndex } from './page-index.ts';

export { embedder } from '../../lambdas/connectors/embedder/configured.ts';

export const index: IndexReader = pageIndex;
