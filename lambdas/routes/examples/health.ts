import type { health as routes } from '../health.ts';
import { type Example, IDS, NOW } from './example.ts';

const { jobId } = IDS;
const url = 'https://www.example.com/visit';
const start = 'https://www.example.com/';
const byTitle = { searched: 50, first: 47, firstTen: 50 };
const byHeading = { searched: 46, first: 38, firstTen: 45 };
const point = { jobId, checkedAt: NOW, pages: 412 };

export const health = {
  'get-health': {
    response: {
      siteId: IDS.siteId,
      ...point,
      urls: 631,
      languages: [{ language: 'en', pages: 412 }],
      findings: [
        {
          kind: 'broken_link',
          what: 'Pages link to these URLs, which do not answer with a page.',
          advice: 'Correct or remove the link on the page that foundOn names, or restore the page.',
          count: 1,
          reasons: { 404: 1 },
          examples: [{ url, reason: '404', foundOn: start }],
        },
      ],
      selfCheck: { byTitle, byHeading, misses: [{ url, query: 'Opening hours', rank: null }] },
      history: [{ ...point, byTitle, byHeading }],
    },
  },
} satisfies Record<keyof typeof routes, Example>;
