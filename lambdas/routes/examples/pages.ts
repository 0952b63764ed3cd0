import type { pages as routes } from '../pages.ts';
import type { Example } from './example.ts';

const url = 'https://www.example.com/visit';
const markdown = `# Visit us

<${url}>

## Opening hours

We are open from 9 to 17, also on the [farm](https://www.example.com/farm).`;

const llms = `# Example

> Everything about the shop.

## visit

- [Visit us](${url}): Address and opening hours`;

export const pages = {
  'get-site-page': {
    query: { url },
    response: {
      url,
      title: 'Visit us',
      markdown,
      headings: [{ level: 2, text: 'Opening hours', anchor: 'hours' }],
      links: [{ text: 'farm', url: 'https://www.example.com/farm' }],
      language: 'en',
      summary: 'Address and opening hours',
      tags: ['shop'],
      crawledAt: '2026-11-23T09:00:00.000Z',
    },
  },
  'get-llms-txt': { response: llms },
} satisfies Record<keyof typeof routes, Example>;
