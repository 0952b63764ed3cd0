import { tableReader } from '#adapters/table';
import { llmsTxt } from '../domain/pages/llms-txt.ts';
import { pages } from '../routes/pages.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { asText } from '../runtime/text-answers.ts';

export const handler = asText(endpoint(pages['get-llms-txt'], ({ site }) => llmsTxt(site, tableReader)));
