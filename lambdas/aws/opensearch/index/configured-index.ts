import { embedder, provider } from '../../../connectors/embedder/configured.ts';
import type { IndexSpec } from '../../../domain/pages/reindexing/index-registry.ts';
import { MAPPING } from '../layout.ts';

export const configuredIndex: IndexSpec = {
  layout: MAPPING,
  space: embedder.space,
  dimensions: embedder.dimensions,
  ...(provider && { provider }),
};
