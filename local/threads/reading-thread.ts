import { serveSequentially } from '../../lambdas/connectors/worker-thread.ts';
import { extractPage } from '../../lambdas/text/extraction/extract-page.ts';

serveSequentially(extractPage);
