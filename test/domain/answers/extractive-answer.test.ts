import { describe, expect, it } from '@jest/globals';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { extractiveAnswer } from '../../../lambdas/domain/answers/extractive-answer.ts';
import { countWords } from '../../../lambdas/text/words/count-words.ts';

const source = (title: string, text: string, relevance = 0.8) => ({
  url: `https://docs.example/${title}`,
  title,
  text,
  relevance,
  language: 'en',
  headed: text,
  version: title,
  parts: [{ ord: 0, headings: [], text, score: relevance }],
});
const embedder = builtinEmbedder();
const quote = (question: string, ...sources: ReturnType<typeof source>[]) =>
  extractiveAnswer(question, sources, ['en'], embedder);

describe('a quoted answer', () => {
  it('has whole sentences in reading order', async () => {
    const text =
      'Lamps burn oil. Fill the lamp with oil before dusk. Ships are made of wood. A lamp with much ' +
      'oil burns all night.';
    const { answer } = await quote(
      'Do I fill the lamp before dusk, and does it burn all night?',
      source('lamps', text),
    );
    expect(answer).toBe('Fill the lamp with oil before dusk. A lamp with much oil burns all night. [1]');
  });

  it('keeps the lines of a list that a sentence announces', async () => {
    const text =
      'To light the lamp, do this:\n1. Open the glass door.\n2. Turn the brass key.\n\nNothing else is needed here.';
    expect((await quote('How do I light the lamp?', source('lamps', text))).answer).toMatch(
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
  ])('stops where %s', async (_, text) => {
    const { answer } = await quote('How do I light the lamp?', source('lamps', text));
    expect(answer).toMatch(/^To light the lamp, do this:\n- .+\n- .+ \[1\]$/);
  });

  it('begins with the sentence that is about what is asked for', async () => {
    const text =
      'Sailors keep a beacon lit. See the chapter on what a beacon is. A beacon is a light on a hill ' +
      'that burns at night and can be seen from far out at sea by all ships.';
    expect((await quote('What is a beacon?', source('beacons', text))).answer).toMatch(/A beacon is a light/);
  });

  it('quotes a sentence that goes on with the one before it', async () => {
    const text = 'Ships are made of oak. The keel is laid in spring. This protects the lamp from the storm.';
    expect((await quote('What protects the lamp from storms?', source('lamps', text))).answer).toContain(
      'The keel is laid in spring. This protects the lamp',
    );
  });

  it('never begins with a sentence that needs the one before it, if that is not there', async () => {
    const text = 'Lamp | Oil | Storm\nThis protects the lamp from storms.\n\nA glass door protects a lamp from storms.';
    const { answer } = await quote('What protects the lamp from storms?', source('lamps', text));
    expect(answer).toBe('A glass door protects a lamp from storms. [1]');
  });

  it('defines what is asked for, not what belongs to it', async () => {
    const text =
      'The beacon-specific rules are as follows: light it at dusk.\n\nA beacon is a fire on a hill, ' +
      'made for ships that pass at night.';
    expect((await quote('What is a beacon?', source('beacons', text))).answer).toMatch(/^A beacon is a fire on a hill/);
  });

  it('answers with what follows the same question in the text, not with the question', async () => {
    const text =
      'Why does the lamp smoke at night?\nThe wick is too long. Cut it by a finger.\n\nCan the lamp ' +
      'burn wax?\nNo, never.';
    const { answer } = await quote('Why does my lamp smoke at night?', source('faq', text));
    expect(answer).toMatch(/^The wick is too long\./);
    expect(answer).not.toContain('?');
  });

  it('names the term above an explanation without a subject', async () => {
    const text = 'max_lamps (integer)\nSets the number of lamps that may burn at once. Ships are made of oak.';
    const { answer } = await quote('How many lamps may burn at once?', source('settings', text));
    expect(answer).toBe('max_lamps (integer): Sets the number of lamps that may burn at once. [1]');
  });

  it('quotes code only with the sentence that announces it', async () => {
    const text = 'lamp.light();\nlamp.turn({ key: 1 });\n\nA lamp is lit with the function light.';
    const { answer } = await quote('How do I light a lamp with a key?', source('code', text));
    expect(answer).toBe('A lamp is lit with the function light. [1]');
  });

  it.each([
    ['How do I clean a lamp?', 'To clean a lamp, use a soft cloth.'],
    ['Why should I clean a lamp?', 'A dirty lamp is clouded because soot settles on its glass.'],
    ['How often should I clean a lamp?', 'Lamps are cleaned every 7 days.'],
  ])('prefers a sentence of the form that is asked for: %s', async (question, expected) => {
    const text =
      'People who clean a lamp wear gloves. To clean a lamp, use a soft cloth. A dirty lamp is clouded because soot ' +
      'settles on its glass. Lamps are cleaned every 7 days.';
    expect((await quote(question, source('lamps', text))).answer).toContain(expected);
  });

  it('chooses among all parts of a page, in their order', async () => {
    const page = source('lamps', 'The lamp has a brass key.');
    const parts = [
      { ord: 0, headings: [], text: 'A lamp is a light that burns oil.', score: 0.8 },
      { ord: 3, headings: [], text: 'The lamp has a brass key.', score: 0.8 },
    ];
    const { answer } = await extractiveAnswer('What is a lamp?', [{ ...page, parts }], ['en'], embedder);
    expect(answer).toMatch(/^A lamp is a light that burns oil\./);
  });

  it('passes over a table of contents if another page answers', async () => {
    const contents = source('contents', '12.1. Lamp oil prices\n12.2. Prices of lamp oil in winter', 0.9);
    const answer = source('oil', 'The price of lamp oil is four coins.', 0.8);
    const { sources } = await quote('What are the prices of lamp oil?', contents, answer);
    expect(sources.map(({ title }) => title)).toEqual(['oil']);
  });

  it('does not end a sentence within brackets', async () => {
    const text = 'When the lamp is lit (by LIGHT ... KEY), ships must not leave the harbour before the morning.';
    expect((await quote('When is the lamp lit?', source('lamps', text))).answer).toBe(`${text} [1]`);
  });

  it('names only the pages that it quotes, the best one first', async () => {
    const sources = [
      source('oil', 'The lamp oil is sold in the harbour shop.', 0.9),
      source('ships', 'Nothing to see on this page at all.', 0.8),
      source('shop', 'Lamp oil is cheap on Mondays in winter.', 0.85),
    ];
    const { answer, sources: quoted } = await quote(
      'Where is lamp oil sold, and is it cheap on Mondays in winter?',
      ...sources,
    );
    expect(quoted.map(({ title }) => title)).toEqual(['oil', 'shop']);
    expect(answer).toMatch(
      /^The lamp oil is sold in the harbour shop\. \[1\]\n\nLamp oil is cheap on Mondays in winter\. \[2\]$/,
    );
  });

  it.each([
    ['has the number', 'How many lamps burn in the harbour?', 'In the harbour 14 lamps burn at night.', true],
    ['has no number', 'How many lamps burn in the harbour?', 'In the harbour lamps burn at night.', false],
    ['has a person', 'Who built the harbour lamp?', 'The harbour lamp was built by Ada Lovelace.', true],
    ['is about another thing', 'Why was the harbour sold?', 'In the harbour lamps burn at night.', false],
    [
      'has few words of it',
      'What is the difference between lamps and candles?',
      'Lamps need oil, candles do not.',
      true,
    ],
  ])('bears the question or not: a sentence that %s', async (_, question, text, bears) => {
    expect((await quote(question, source('harbour', text))).bears).toBe(bears);
  });

  it('has one or two sentences for a fact, and more for steps', async () => {
    const text =
      'The lamp was lit by Ada in the harbour. The lamp of the harbour burns oil. The lamp of the harbour is old. ' +
      'To light the lamp of the harbour, use a key. To clean the lamp of the harbour, use a cloth.';
    const count = async (question: string) =>
      (await quote(question, source('lamps', text))).answer.split(/(?<=\.) /).length - 1;
    expect(await count('When was the lamp of the harbour lit?')).toBeLessThanOrEqual(2);
    expect(await count('How do I light and clean the lamp of the harbour?')).toBeGreaterThanOrEqual(2);
  });

  it('prefers a sentence with the fact to one with more words of the question', async () => {
    const text = 'Ships count the lamps in the harbour of the town. There are 14 lamps.';
    const { answer } = await quote('How many lamps are in the harbour of the town?', source('harbour', text));
    expect(answer).toContain('There are 14 lamps.');
  });

  it.each([
    [
      'zh',
      '灯塔是什么时候建的？',
      '灯塔建于一九三二年。',
      '港口里有很多船。渔民在早晨出海。灯塔建于一九三二年。港口很大。',
    ],
    [
      'ja',
      '灯台はいつ建てられましたか',
      '灯台は1932年に建てられました。',
      '港には船が多い。灯台は1932年に建てられました。漁師は朝に出る。',
    ],
    [
      'ru',
      'Когда построен маяк?',
      'Маяк построен в 1932 году.',
      'В порту много кораблей. Маяк построен в 1932 году. Порт большой.',
    ],
    [
      'th',
      'สะพานนี้สร้างเมื่อไหร่',
      'สะพานนี้สร้างขึ้นในปี พ.ศ. 2475 โดยวิศวกรชาวฝรั่งเศสซึ่งเป็นผู้ออกแบบสะพานหลายแห่งในภูมิภาค',
      'เมืองนี้ตั้งอยู่ริมแม่น้ำและมีประชากรประมาณสองแสนคนซึ่งส่วนใหญ่ทำงานในโรงงานและท่าเรือ สะพานนี้สร้างขึ้นในปี พ.ศ. 2475 ' +
        'โดยวิศวกรชาวฝรั่งเศสซึ่งเป็นผู้ออกแบบสะพานหลายแห่งในภูมิภาค ตลาดน้ำเปิดทุกวันอาทิตย์',
    ],
    [
      'tr',
      'Deniz feneri ne zaman yapıldı?',
      'Deniz feneri 1932 yılında yapıldı.',
      'Limanda çok gemi var. Deniz feneri 1932 yılında yapıldı.',
    ],
  ])('quotes a whole sentence in other scripts and languages: %s', async (language, question, sentence, text) => {
    const page = { ...source('1', text), language };
    const { answer, bears } = await extractiveAnswer(question, [page], [language], embedder);
    expect(answer).toContain(sentence);
    expect(bears).toBe(true);
  });

  it('joins Chinese sentences without a blank, and cuts a long one between words', async () => {
    const page = (text: string) => ({ ...source('1', text), language: 'zh' });
    const { answer } = await extractiveAnswer(
      '港口为什么有灯，船怎么看见港口？',
      [page('港口有灯，因为夜里有船。灯让船看见港口。')],
      ['zh'],
      embedder,
    );
    expect(answer).toBe('港口有灯，因为夜里有船。灯让船看见港口。 [1]');
    const long = await extractiveAnswer('海', [page('港口有灯和船，'.repeat(100))], ['zh'], embedder);
    expect(countWords(long.answer)).toBeLessThanOrEqual(120);
  });

  it.each([1, 5, 40, 200])('has at most 120 words of sentences with %d words', async (count) => {
    const sentence = `The lamp ${'shines '.repeat(count)}at night. `;
    const { answer } = await quote('When does the lamp shine?', source('lamps', sentence.repeat(80)));
    expect(answer.split(/\s+/).length).toBeLessThanOrEqual(120);
    expect(answer).toContain('lamp');
  });
});
