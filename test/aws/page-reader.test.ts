import { pageReader } from '../../lambdas/aws/page-reader.ts';
import { pageReaderContract } from '../contracts/page-reader.contract.ts';

pageReaderContract('its own thread', pageReader, () => pageReader.close());
