import { env } from '../../env.ts';
import type { PageStore } from '../ports.ts';
import { needed } from './needed.ts';
import { s3PageStore } from './s3/s3-page-store.ts';

export const pageStore: PageStore = s3PageStore(needed('TEXTS_BUCKET'), { url: env.S3_URL });
