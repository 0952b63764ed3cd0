import { describe, expect, it } from '@jest/globals';
import { questionLanguage } from '../../../lambdas/text/words/question-language.ts';

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  ar: ['متى بُني الجسر؟', 'كم يبلغ طول الجسر'],
  de: ['Wann wurde die Brücke gebaut?'],
  el: ['Πότε χτίστηκε η γέφυρα;'],
  en: ['When was the bridge built?', 'Who is Владимир Путин?'],
  es: ['¿Cuándo se construyó el puente?'],
  fr: ['Quand le pont a-t-il été construit ?'],
  hi: ['पुल कब बना था?'],
  it: ['Quando è stato costruito il ponte?'],
  ja: ['この橋はいつ建てられましたか'],
  ko: ['이 다리는 언제 지어졌습니까?'],
  nl: ['Wanneer werd de brug gebouwd?'],
  pl: ['Kiedy zbudowano ten most?', 'Ile kosztuje bilet?'],
  pt: ['Quando foi construída a ponte?'],
  ro: ['Când a fost construit podul?', 'Cat costa biletul?'],
  ru: ['Когда был построен мост?'],
  th: ['สะพานนี้สร้างเมื่อไหร่'],
  tr: ['Köprü ne zaman yapıldı?', 'Kaç tane ada var?', 'Bu sayfada kim var?'],
  vi: ['Cây cầu được xây dựng khi nào?', 'Cay cau duoc xay dung khi nao?'],
  zh: ['这座桥是什么时候建的？', 'Docker 怎么用？'],
};

describe('the language of a question', () => {
  const cases = Object.entries(QUESTIONS).flatMap(([language, texts]) =>
    texts.map((text) => [language, text] as const),
  );

  it.each(cases)('the language is %s by the script or the words of: %s', (language, question) => {
    expect(questionLanguage(question, ['en'])).toBe(language);
    expect(questionLanguage(question, ['es-MX', 'de'])).toBe(language);
  });

  it.each([
    ['漢字検索', ['ja'], 'ja'],
    ['Какой порт?', ['uk', 'en'], 'uk'],
    ['default port', ['fr'], 'fr'],
    ['default port', [], 'en'],
    ['', ['xx'], 'en'],
  ])('the language is one of the site if it may be: %s', (question, site, language) =>
    expect(questionLanguage(question, site)).toBe(language),
  );
});
