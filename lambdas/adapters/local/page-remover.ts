import type { PageRemover } from '../../core/ports/page-index.ts';
import { pageIndex } from './page-index.ts';

export const pageRemover: PageRemover = pageIndex;
