import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { extractText } from '../../../lambdas/text/extraction/extract-text.ts';
import { pageSummary } from '../../../lambdas/text/metadata/page-summary.ts';

const text = (words: string, linked = 0) => ({ kind: 'text', text: words, linked }) as const;
const PROSE = 'The mill grinds rye and wheat for the bakers of the valley. What is left over is sold on the market.';

describe('the summary of a page', () => {
  it('is the description of the page', () => {
    expect(pageSummary('How mills grind rye', 'Mills', [text(PROSE)])).toBe('How mills grind rye');
  });

  it('drops the last sentence of a description if it is truncated', () => {
    const whole = 'The mill of the valley grinds rye and wheat for all the bakers. ';
    expect(pageSummary(`${whole}What is left over is sold on the market of the next tow...`, '', [])).toBe(
      whole.trim(),
    );
    expect(pageSummary(`${whole}What is left over is sold on the market of the next town and the`, '', [])).toBe(
      whole.trim(),
    );
  });

  it('is the first prose if the description is missing or only repeats the title', () => {
    expect(pageSummary('', 'Mills', [text(PROSE)])).toBe(PROSE);
    expect(pageSummary('Rye Mills', 'Rye mills of the valley', [text(PROSE)])).toBe(PROSE);
  });

  it('skips headings, lists, tables, code, bylines and passages of links', () => {
    const blocks = [
      { kind: 'heading', level: 2, text: `${PROSE} heading` },
      { kind: 'list', text: `${PROSE} list` },
      { kind: 'code', text: `${PROSE} code` },
      text('By Ann, May 6, 2024'),
      text(`${PROSE} links`, 90),
      text(PROSE),
    ] as const;
    expect(pageSummary('', 'Mills', blocks)).toBe(PROSE);
  });

  it('is the prose if only the description has no word of the title', () => {
    const site = 'The framework for people with deadlines.';
    expect(pageSummary(site, 'A bakery', [text(PROSE)])).toBe(PROSE);
    expect(pageSummary(site, 'Weirs', [text(PROSE)])).toBe(site);
    expect(pageSummary('Mills for people with deadlines.', 'Mills', [text(PROSE)])).toBe(
      'Mills for people with deadlines.',
    );
  });

  it('is the prose if the only sentence of the description is truncated', () => {
    expect(pageSummary('The mill of the valley gri...', 'Mills', [text(PROSE)])).toBe(PROSE);
    expect(pageSummary('The mill of the valley gri...', 'Mills', [])).toBe('The mill of the valley gri...');
  });

  it('does not begin with a sentence that continues a skipped one', () => {
    const asked = text('Why?');
    const because = text(
      'Because the mill grinds rye for all the bakers of the whole valley, and has done so for years.',
    );
    expect(pageSummary('', 'Mills', [asked, because, text(PROSE)])).toBe(PROSE);
    expect(pageSummary('', 'Mills', [because, text(PROSE)])).toMatch(/^Because/);
    const page = text('This page says how the mill of the valley grinds rye and wheat for the bakers.');
    expect(pageSummary('', 'Mills', [text('By Ann.'), page])).toBe(page.text);
  });

  it.each([
    'hr { clear: both; } @media only screen { p { margin: 0; } } The mill grinds rye for the bakers.',
    'Chapter&nbsp;3.&nbsp;Mills Table of Contents 3.1. Rye mills and others 3.2. Wheat mills and others',
  ])('is not a description generated from markup: %s', (description) => {
    expect(pageSummary(description, 'Mills', [text(PROSE)])).toBe(PROSE);
  });

  it('is undefined without prose', () => {
    expect(pageSummary('', 'Mills', [text('Rye'), text('Wheat')])).toBeUndefined();
  });

  it('ends at the end of a sentence, not after an abbreviation', () => {
    const long = 'In the U.S. and elsewhere mills grind rye, e.g. for bread, as they did in the time of our parents. ';
    expect(pageSummary('', '', [text(long.repeat(9))])).toMatch(/^(?:In the U\.S\. [^.]+e\.g\. [^.]+\. ?){2,3}$/);
  });

  it('has at most 500 characters for any page', () => {
    const part = fc.constantFrom('Rye', ' ', '. ', '.', '…', '!', 'U.S. ', '。', 'x'.repeat(300), '"');
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (description, words) => {
        const summary = pageSummary(description.join(''), 'Mills', [text(words.join(''))]);
        expect((summary ?? '').length).toBeLessThanOrEqual(500);
      }),
    );
  });
});

describe('the tags of a page', () => {
  const body = `<h1>Grinding rye</h1><h2>Water mills</h2><p>${'Water mills are good for grinding rye. '.repeat(4)}</p>
    <h2>Wind mills</h2><p>${'Most wind mills are old. '.repeat(4)}</p><h2>Overview</h2><h2>Learn more</h2>`;

  it('are its keywords without stop words', () => {
    const head = '<html lang=en><meta name=keywords content="rye, how, to, Water mills,rye">';
    expect(extractHtml(head + body, 'https://example.com/').tags).toEqual(['rye', 'Water mills']);
  });

  it('are phrases of its headings that the text repeats, if it has no keywords', () => {
    const { tags } = extractHtml(`<html lang=en><title>Grinding rye</title>${body}`, 'https://example.com/');
    expect(tags).toEqual(['Grinding rye', 'Water mills', 'Wind mills']);
  });

  const tagsOf = (title: string, ...sections: readonly (readonly [heading: string, text: string])[]) =>
    extractHtml(
      `<html lang=en><title>${title}</title><h1>${title}</h1>` +
        sections.map(([heading, text]) => `<h2>${heading}</h2><p>${text}</p>`).join(''),
      'https://example.com/',
    ).tags;

  it('share no stems and no parts', () => {
    const text = 'The best tutors and their tutoring. Good tutors know how tutoring is done. Tutors like tutoring.';
    expect(tagsOf('Tutors', ['Tutoring', text], ['Tutoring now', text], ['More tutoring', text])).toEqual(['Tutoring']);
    const command = 'Alter text search template changes one. To alter text search template is easy. '.repeat(2);
    expect(tagsOf('ALTER TEXT SEARCH TEMPLATE', ['Description', command])).toEqual(['ALTER TEXT SEARCH TEMPLATE']);
  });

  it('are not repeated headings, dates or parts of names', () => {
    const post = 'Ann Miller says that Node.js grinds rye since December. '.repeat(2);
    const posts = Array.from({ length: 4 }, () => ['Ann Miller', post] as const);
    expect(tagsOf('Node.js grinds rye, 2025-12-01, December', ...posts)).toEqual(['Node.js grinds rye']);
  });

  it('are phrases of the title that occur twice in the text', () => {
    const text = 'Water mills are old. Some water mills grind rye, and others saw wood for the whole of the valley.';
    expect(tagsOf('Water mills', ['Use', text])).toEqual(['Water mills']);
  });

  it('are the same for the same text in Markdown', () => {
    const markdown = [
      '# Grinding rye',
      '## Water mills',
      'Water mills are good for grinding rye. '.repeat(4),
      '## Wind mills',
      'Most wind mills are old. '.repeat(4),
    ].join('\n\n');
    expect(extractText(markdown, 'https://example.com/a.md')).toMatchObject({
      tags: ['Grinding rye', 'Water mills', 'Wind mills'],
      language: 'en',
      description: expect.stringMatching(/^Water mills are good for grinding rye\. .*\.$/),
    });
  });
});

describe('the language of a page', () => {
  const german =
    'Die Mühle mahlt für die Bäcker des Tals, und was übrig ist, wird auf dem Markt verkauft. ' +
    'Sie ist so alt wie das Dorf und wird von den Kindern der Müllerin geführt. ';
  const languageOf = (lang: string, words: string) =>
    extractHtml(`<html ${lang}><main><p>${words}</p></main>`, 'https://example.com/').language;

  it('is the declared one', () => {
    expect(languageOf('lang=fr-CA', german.repeat(3))).toBe('fr');
  });

  it('is detected if none is declared, or if English is declared for another language', () => {
    expect(languageOf('', german.repeat(3))).toBe('de');
    expect(languageOf('lang=en', german.repeat(3))).toBe('de');
    expect(languageOf('lang=en-US', 'The café of the mill. '.repeat(3))).toBe('en');
  });
});
