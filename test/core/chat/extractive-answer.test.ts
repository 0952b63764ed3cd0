import { describe, expect, it } from '@jest/globals';
import { extractiveAnswer } from '../../../lambdas/core/chat/extractive-answer.ts';

const source = (title: string, text: string, relevance = 0.8) => ({
  ...{ url: `https://docs.example/${title}`, title, text, relevance, language: 'en', headed: text, version: title },
});
const quote = (question: string, ...sources: ReturnType<typeof source>[]) =>
  extractiveAnswer(question, sources, ['en']);

describe('a quoted answer', () => {
  it('has whole sentences in reading order', () => {
    const text =
      'Lamps burn oil. Fill the lamp with oil before dusk. Ships are made of wood. A lamp with much oil burns all night.';
    const { answer } = quote('Do I fill the lamp before dusk, and does it burn all night?', source('lamps', text));
    expect(answer).toBe('Fill the lamp with oil before dusk. A lamp with much oil burns all night. [1]');
  });

  it('keeps the lines of a list that a sentence announces', () => {
    const text =
      'To light the lamp, do this:\n1. Open the glass door.\n2. Turn the brass key.\n\nNothing else is needed here.';
    expect(quote('How do I light the lamp?', source('lamps', text)).answer).toMatch(
      /^To light the lamp, do this:\n- Open the glass door\.\n- Turn the brass key\./,
    );
  });

  it.each([
    [
      'the list ends',
      'To light the lamp, do this:\n\nOpen the glass door.\nTurn the key.\n\nSee Also\n\nShips, harbours',
    ],
    [
      'a code sample ends',
      'To light the lamp, do this:\n\nlight(lamp);\nturn(key);\n\nCompatibility\n\nLamps are old.',
    ],
  ])('stops where %s', (_, text) => {
    const { answer } = quote('How do I light the lamp?', source('lamps', text));
    expect(answer).toMatch(/^To light the lamp, do this:\n- .+\n- .+ \[1\]$/);
  });

  it('begins with the sentence that is about what is asked for', () => {
    const text =
      'Sailors keep a beacon lit. See the chapter on what a beacon is. A beacon is a light on a hill that burns at night and can be seen from far out at sea by all ships.';
    expect(quote('What is a beacon?', source('beacons', text)).answer).toMatch(/A beacon is a light/);
  });

  it('quotes a sentence that goes on with the one before it', () => {
    const text = 'Ships are made of oak. The keel is laid in spring. This protects the lamp from the storm.';
    expect(quote('What protects the lamp from storms?', source('lamps', text)).answer).toContain(
      'The keel is laid in spring. This protects the lamp',
    );
  });

  it('passes over a table of contents if another page answers', () => {
    const contents = source('contents', '12.1. Lamp oil prices\n12.2. Prices of lamp oil in winter', 0.9);
    const answer = source('oil', 'The price of lamp oil is four coins.', 0.8);
    expect(quote('What are the prices of lamp oil?', contents, answer).sources.map(({ title }) => title)).toEqual([
      'oil',
    ]);
  });

  it('does not end a sentence within brackets', () => {
    const text = 'When the lamp is lit (by LIGHT ... KEY), ships must not leave the harbour before the morning.';
    expect(quote('When is the lamp lit?', source('lamps', text)).answer).toBe(`${text} [1]`);
  });

  it('names only the pages that it quotes, the best one first', () => {
    const sources = [
      source('oil', 'The lamp oil is sold in the harbour shop.', 0.9),
      source('ships', 'Nothing to see on this page at all.', 0.8),
      source('shop', 'Lamp oil is cheap on Mondays in winter.', 0.85),
    ];
    const { answer, sources: quoted } = quote(
      'Where is lamp oil sold, and is it cheap on Mondays in winter?',
      ...sources,
    );
    expect(quoted.map(({ title }) => title)).toEqual(['oil', 'shop']);
    expect(answer).toMatch(
      /^The lamp oil is sold in the harbour shop\. \[1\]\n\nLamp oil is cheap on Mondays in winter\. \[2\]$/,
    );
  });

  it.each([1, 5, 40, 200])('has at most 120 words of sentences with %d words', (count) => {
    const sentence = `The lamp ${'shines '.repeat(count)}at night. `;
    const { answer } = quote('When does the lamp shine?', source('lamps', sentence.repeat(80)));
    expect(answer.split(/\s+/).length).toBeLessThanOrEqual(120);
    expect(answer).toContain('lamp');
  });
});
