import type { IndexReader } from '../../core/ports/page-index.ts';
import { pageIndex } from './page-index.ts';

export { embedder } from './page-index.ts';
export const indexReader: IndexReader = pageIndex;
