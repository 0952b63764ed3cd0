import type { IndexKind } from '../../../core/reindexing/index-registry.ts';
import { embedder, provider } from '../../embedder/configured.ts';
import { MAPPING } from './layout.ts';

export const configuredKind: IndexKind = {
  layout: MAPPING,
  space: embedder.space,
  dimensions: embedder.dimensions,
  ...(provider && { provider }),
};
