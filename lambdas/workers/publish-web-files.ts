import { openWebBucket } from '../aws/web-bucket.ts';
import { customResource } from '../runtime/custom-resource.ts';
import { publishWebFiles, removeWebFiles } from '../runtime/publish-web-files.ts';
import { retryWhileDenied } from '../runtime/retry-while-denied.ts';

/** The folder beside the code in the deployed asset (lib/web-files.ts). */
const FOLDER = new URL('../../files-for-browsers/', import.meta.url);

/** Runs when the stack is deployed with other files for browsers, and when it is deleted. */
export const handler = customResource('web-files', {
  run: () => retryWhileDenied(() => publishWebFiles(FOLDER, openWebBucket())),
  remove: () => removeWebFiles(openWebBucket()),
});
