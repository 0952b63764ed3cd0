import { describe, expect, it } from '@jest/globals';
import { extractHtml } from '../../../lambdas/core/content/extract-html.ts';

const titleOf = (head: string, body = '', url = 'https://www.acme.example/x'): string =>
  extractHtml(`<head>${head}</head><body>${body}</body>`, url).title;

describe('the title of a page', () => {
  it.each([
    ['<title>Rye mills | Acme</title>', '<h1>Rye mills</h1>', 'Rye mills'],
    ['<title>PostgreSQL: Documentation: 15: VACUUM</title>', '<h1>VACUUM</h1>', 'VACUUM'],
    ['<title>Rye mills - The Book of Mills</title>', '<h1>The Book of Mills</h1><h1>Rye mills</h1>', 'Rye mills'],
    ['<title>Rye mills - The Book of Mills</title>', '<h1>The Book of Mills</h1>', 'Rye mills'],
    ['<title>How we build mills in 2025 | Acme</title>', '<h1>How we build our mills</h1>', 'How we build our mills'],
    ['<title>The Rye Mill</title>', '<h1>1. Overview</h1><h1>2. Rye Mill Details</h1>', 'The Rye Mill'],
    ['<title>The Rye Mill</title>', '<h1>Sails of the Mill</h1><h1>Using the Mill</h1>', 'The Rye Mill'],
    ['<title>Mills, their 1 use</title>', '<h1>1. Mills and their use</h1>', 'Mills, their 1 use'],
    ['<title>Manual: 26.1. SQL Dump of all</title>', '<h1>26.1. SQL Dump</h1>', '26.1. SQL Dump'],
    ['<title>Rye in 10 steps</title>', '<h1>10 steps to rye</h1>', '10 steps to rye'],
    ['<title>Mills, old and new</title>', '<h1>Old mills</h1><h1>Old mills</h1>', 'Old mills'],
    ['<title>Rye mills — Acme</title>', '<h1>Grind with joy</h1>', 'Rye mills'],
    ['<title>Acme</title>', '<h1>Rye mills</h1>', 'Rye mills'],
    ['<title>Home - Acme</title>', '', 'Home - Acme'],
    ['<title>Mills: Documentation: Rye</title><meta property=og:title content=Rye>', '', 'Rye'],
    ['<meta property=og:title content="Rye mills">', '', 'Rye mills'],
    ['', '<h1>Rye  mills<a class=headerlink href=#>¶</a></h1>', 'Rye mills'],
    ['', '<h2>Rye</h2><p>words</p>', 'Rye'],
    ['', '<svg><title>Logo</title></svg><p>Only words</p>', 'Only words'],
    ['', '', ''],
  ])('of %s and %s is "%s"', (head, body, title) => {
    expect(titleOf(head, body)).toBe(title);
  });

  it("loses the site's name by what the page calls its site", () => {
    expect(titleOf('<title>Mills - Rye Works</title><meta property=og:site_name content="Rye Works">')).toBe('Mills');
    expect(titleOf('<title>Mills - Rye Works</title>')).toBe('Mills - Rye Works');
  });
});
