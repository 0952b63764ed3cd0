import type { inspection as routes } from '../inspection.ts';
import { type Example, IDS, NOW } from './example.ts';

const { jobId } = IDS;
const url = 'https://www.example.com/visit';
const start = 'https://www.example.com/';
const scope = { decision: 'admitted', baseUrl: start };
const robots = { respected: true, allowed: true };
const words = [
  { word: 'opening', counts: true, inChunk: 2, inTitle: false, chunksOfSite: 14 },
  { word: 'hours', counts: true, inChunk: 3, inTitle: false, chunksOfSite: 9 },
];

export const inspection = {
  'trace-url': {
    query: { url: '/visit', q: 'opening hours' },
    response: {
      url,
      isIndexed: true,
      verdict: 'The page is indexed.',
      scope,
      robots: { ...robots, jobId },
      foundBy: 'page',
      foundOn: start,
      leadsTo: [],
      lastCrawl: { jobId, status: 'completed', endReason: 'done' },
      history: [
        {
          jobId,
          jobStatus: 'completed',
          createdAt: NOW - 20,
          url,
          outcome: 'indexed',
          status: 200,
          depth: 1,
          foundOn: start,
        },
      ],
      page: {
        title: 'Visit us',
        source: 'crawl',
        chunks: 2,
        crawledAt: '2026-11-23T09:00:00.000Z',
        indexedAt: NOW,
        isSearchable: true,
        aliases: [],
        aliasCount: 0,
        characters: 2717,
        links: 4,
        language: 'en',
        canonical: url,
      },
      query: {
        q: 'opening hours',
        verdict: 'It is result 1 of 18.',
        isFound: true,
        isCandidate: true,
        rank: 1,
        totalResults: 18,
        minScore: 0.3,
        corrections: [],
        score: 0.8357,
        chunk: 1,
        factors: { meaning: 0.0594, words: 0.7756, title: 0.2216, gate: 1, textScore: 0.8357, boost: 1, confidence: 1 },
        features: {
          cosine: 0.2832,
          bm25: 0.8184,
          together: 0,
          distinction: 0,
          label: 0.6667,
          title: 0.2332,
          linkShare: 0,
          inChunk: 1,
        },
        words,
      },
    },
  },
  'test-url': {
    body: { url: '/visit' },
    response: {
      url,
      scope,
      robots,
      isIndexable: true,
      steps: [{ url, outcome: 'indexed', status: 200 }],
      page: {
        contentType: 'text/html; charset=utf-8',
        title: 'Visit us',
        language: 'en',
        canonical: url,
        tags: ['shop'],
        noindex: false,
        nofollow: false,
        headings: ['Opening hours', 'How to find us'],
        characters: 2717,
        chunks: 2,
        text: 'Opening hours\n\nOur opening hours are 9 to 17.',
        linkCount: 1,
        links: [start],
      },
    },
  },
} satisfies Record<keyof typeof routes, Example>;
