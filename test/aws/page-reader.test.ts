import { pageReader } from '../../../lambdas/adapters/aws/page-reader.ts';
import { pageReaderContract } from '../page-reader.contract.ts';

pageReaderContract('its own thread', pageReader, () => pageReader.close());
