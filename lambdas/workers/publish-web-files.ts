import * as z from 'zod';
import { s3WebBucket, type WebBucket } from '../aws/web-bucket.ts';
import { customResource } from '../runtime/custom-resource.ts';
import { publishWebFiles, removeWebFiles } from '../runtime/publish-web-files.ts';
import { retryWhileDenied } from '../runtime/retry-while-denied.ts';

/** The folder beside the code in the deployed asset (lib/service-function.ts). */
const FOLDER = new URL('../../files-for-browsers/', import.meta.url);
const Properties = z.object({ bucket: z.string() });

const bucketOf = (properties: unknown): WebBucket => s3WebBucket(Properties.parse(properties).bucket);

/** Runs when the stack is deployed with other files for browsers, and when it is deleted. */
export const handler = customResource('web-files', {
  run: (properties) => retryWhileDenied(() => publishWebFiles(FOLDER, bucketOf(properties))),
  remove: (properties) => removeWebFiles(bucketOf(properties)),
});
