import type { chat as routes } from '../chat.ts';
import type { Example } from './example.ts';

const source = { url: 'https://www.example.com/visit', title: 'Visit us', relevance: 0.86, score: 0.86 };
const response = 'The shop is open from 9 to 17, Monday to Friday [1].';
const sources = [source];
const answer = { response, answer: response, sources, sessionId: 'GQ0tM3kqT5uQm2yb9cVr1A', tokensUsed: 412 };
const body = { message: 'When is the shop open?', contextUrl: 'https://www.example.com/' };

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const events = [
  event('sources', { sources }),
  event('token', { text: response }),
  event('done', { ...answer, degraded: false }),
].join('');

export const chat = {
  'chat-with-site': { body, response: answer, events },
  'chat-with-group': { body, response: answer, events },
} satisfies Record<keyof typeof routes, Example>;
