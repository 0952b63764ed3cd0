import type { preview as routes } from '../preview.ts';
import { chat } from './chat.ts';
import type { Example } from './example.ts';
import { search } from './search.ts';

const { response: answer } = chat['chat-with-site'];

export const preview = {
  'preview-search': {
    body: { query: 'opening hours', limit: 3, urlBoosts: [{ urlPrefix: '/docs/', boost: 1.5 }], answer: true },
    response: { ...search['search-site'].response, answer },
  },
} satisfies Record<keyof typeof routes, Example>;
