import type { PageStore, PageStoreReader } from '../domain/ports/page-store.ts';
import { env } from '../env.ts';
import { requireEnv } from './require-env.ts';
import { s3PageStore } from './s3/s3-page-store.ts';

export const pageStore: PageStore = s3PageStore(requireEnv('PAGES_BUCKET'), { url: env.S3_URL });
export const pageStoreReader: PageStoreReader = pageStore;
