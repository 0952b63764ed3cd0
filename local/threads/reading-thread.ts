import { extractPage } from '../../core/content/extraction/extract-page.ts';
import { answerInTurn } from '../worker-thread.ts';

answerInTurn(extractPage);
