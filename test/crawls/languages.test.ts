import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

type Text = { readonly title: string; readonly text: string; readonly queries: readonly string[] };

const TEXTS: Readonly<Record<string, Text>> = {
  ja: {
    title: '返品について',
    text: '商品の返品は到着後三十日以内に受け付けます。送料はお客様のご負担となります。東京都の店舗でも返品できます。',
    queries: ['返品', '返品 送料', '東京都の店舗'],
  },
  zh: {
    title: '图书馆开放时间',
    text: '市立图书馆每天上午九点开门，晚上八点关门。借书证可以在服务台办理。',
    queries: ['图书馆', '借书证', '服务台'],
  },
  ko: {
    title: '도서관 이용 안내',
    text: '시립 도서관은 매일 오전 아홉 시에 문을 엽니다. 대출증은 안내 데스크에서 발급합니다.',
    queries: ['도서관', '대출증', '도서관 이용'],
  },
  th: {
    title: 'เวลาเปิดห้องสมุด',
    text: 'ห้องสมุดประชาชนเปิดทุกวันเวลาเก้าโมงเช้า บัตรสมาชิกทำได้ที่เคาน์เตอร์',
    queries: ['ห้องสมุด', 'บัตรสมาชิก'],
  },
  ar: {
    title: 'سياسة الإرجاع',
    text: 'يمكن إرجاع المنتجات خلال ثلاثين يوما من تاريخ الاستلام. يتحمل العميل تكاليف الشحن.',
    queries: ['سياسة الإرجاع', 'المنتجات', 'العميل'],
  },
  he: {
    title: 'שעות הפתיחה של הספרייה',
    text: 'הספרייה העירונית נפתחת בכל יום בתשע בבוקר. כרטיס קורא ניתן לקבל בדלפק.',
    queries: ['הספרייה', 'כרטיס קורא'],
  },
  fa: {
    title: 'شرایط بازگشت کالا',
    text: 'کالاها را می‌توان تا سی روز پس از دریافت بازگرداند. هزینه ارسال بر عهده مشتری است.',
    queries: ['بازگشت کالا', 'مشتری'],
  },
  hi: {
    title: 'पुस्तकालय का समय',
    text: 'नगर पुस्तकालय हर दिन सुबह नौ बजे खुलता है। सदस्यता कार्ड काउंटर पर मिलता है।',
    queries: ['पुस्तकालय', 'कार्ड'],
  },
  el: {
    title: 'Ώρες λειτουργίας',
    text: 'Η δημοτική βιβλιοθήκη ανοίγει κάθε μέρα στις εννέα το πρωί.',
    queries: ['βιβλιοθήκη', 'βιβλιοθηκη', 'ΒΙΒΛΙΟΘΉΚΗ'],
  },
  ru: {
    title: 'Часы работы библиотеки',
    text: 'Городская библиотека открывается каждый день в девять утра. Читательский билет выдают на стойке.',
    queries: ['библиотека', 'БИЛЕТ'],
  },
  tr: {
    title: 'İade koşulları',
    text: 'Ürünler teslimattan sonra otuz gün içinde iade edilebilir. İstanbul ve Iğdır mağazaları da kabul eder.',
    queries: ['iade koşulları', 'İADE', 'istanbul'],
  },
  de: {
    title: 'Öffnungszeiten der Bücherei',
    text: 'Die städtische Bücherei öffnet täglich um neun Uhr, in der Straße der Künste. Alle gehen über die Brücken.',
    queries: ['Bücherei', 'bucherei', 'strasse', 'Brücke', 'Büchreei'],
  },
  en: {
    title: 'Opening hours of the library',
    text: 'The public library opens daily at nine. Pedestrians cross the bridges.',
    queries: ['library', 'libraries', 'pedestrian', 'bridge', 'libary'],
  },
};
const QUERIES = Object.entries(TEXTS).flatMap(([language, { queries }]) =>
  queries.map((query) => [query, language] as const),
);
const RIGHT_TO_LEFT = ['ar', 'he', 'fa'];

const htmlOf = (language: string, { title, text }: Text): string =>
  htmlPage(title, text).replace(
    'lang="en"',
    `lang="${language}" dir="${RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr'}"`,
  );
const bare = (body: string, title = ''): string =>
  `<!doctype html><html lang="en"><head>${title}</head><body><main>${body}</main></body></html>`;

const UNTITLED: Readonly<Record<string, string>> = {
  '/h1': bare('<h1>Gardening basics</h1><p>Soil, water and sunlight make tomatoes grow.</p>'),
  '/h2': bare('<p>A text before it.</p><h2>Compost heaps</h2><p>Worms turn waste into fertile compost.</p>'),
  '/blank': bare('<h3>Pruning roses</h3><p>Cut roses in early spring above a bud.</p>', '<title> \n </title>'),
  '/guides/cans': bare('<p>Watering cans should be rinsed after fertiliser use.</p>'),
  '/%E5%BA%AD': bare('<p>Gravel gardens need raking on every single morning.</p>'),
};

describe('pages in many languages', () => {
  let service: TestApi;
  let web: WebSite;
  let crawled: string;
  let ingested: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    const pages = Object.entries(TEXTS).map(([language, text]) => [`/${language}`, htmlOf(language, text)] as const);
    const links = [...pages.map(([path]) => path), ...Object.keys(UNTITLED)];
    web = await webSite({ ...Object.fromEntries(pages), ...UNTITLED, '/': htmlPage('Start', 'It begins.', links) });
    [crawled, ingested] = await Promise.all([service.createSite(web.origin), service.createSite(web.origin)]);
    await service.ended(await service.startCrawl(crawled));
    const items = Object.entries(TEXTS).map(([language, { title, text }]) => ({
      url: `/${language}`,
      title,
      content: text,
      contentType: 'text',
      language,
    }));
    await service.api('POST', `/sites/${ingested}/pages`, { pages: items });
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const search = (siteId: string, query: string): Promise<Answer> =>
    service.visit(`/public/sites/${siteId}/search?q=${encodeURIComponent(query)}`);
  const pathsOf = ({ body }: Answer): readonly string[] =>
    listOf(body.results).map(({ url }) => String(url).slice(web.origin.length));

  it.each(QUERIES)('pages are found by the words of their language: %s (%s)', async (query, language) => {
    for (const siteId of [crawled, ingested]) {
      const answer = await search(siteId, query);
      expect([answer.status, pathsOf(answer)[0]]).toEqual([200, `/${language}`]);
      expect(listOf(answer.body.results)[0]?.title).toBe(TEXTS[language]?.title);
    }
  });

  it('the language of pages is a facet and a filter', async () => {
    const { body } = await service.visit(`/public/sites/${ingested}/facets`);
    const languages = listOf(body.facets).find(({ name }) => String(name) === 'language');
    expect(
      listOf(languages?.values)
        .map(({ value }) => value)
        .toSorted(),
    ).toEqual(Object.keys(TEXTS).toSorted());
    const filters = encodeURIComponent(JSON.stringify({ language: 'de' }));
    const answer = await service.visit(`/public/sites/${ingested}/search?q=strasse&filters=${filters}`);
    expect(pathsOf(answer)).toEqual(['/de']);
  });

  it('a page without a title is shown by its first heading, or else by its address', async () => {
    const { body } = await service.api('GET', `/sites/${crawled}/pages?limit=200`);
    const titles = listOf(body.items).map(({ url, title }) => [String(url).slice(web.origin.length), title]);
    expect(Object.fromEntries(titles)).toMatchObject({
      '/h1': 'Gardening basics',
      '/h2': 'Compost heaps',
      '/blank': 'Pruning roses',
      '/guides/cans': `${web.origin}/guides/cans`,
      '/%E5%BA%AD': `${web.origin}/庭`,
    });
    expect(pathsOf(await search(crawled, 'watering cans'))[0]).toBe('/guides/cans');
  });

  it('an ingested page without a title is titled in the same way', async () => {
    const pages = Object.entries(UNTITLED).map(([url, content]) => ({ url, content }));
    await service.api('POST', `/sites/${ingested}/pages`, { pages });
    const { body } = await service.api('GET', `/sites/${ingested}/pages?limit=200&search=gar`);
    expect(listOf(body.items).map(({ title }) => title)).toEqual(['Gardening basics']);
    expect(pathsOf(await search(ingested, 'raking gravel'))[0]).toBe('/%E5%BA%AD');
  });

  describe('a site in two languages', () => {
    let siteId: string;

    beforeAll(async () => {
      siteId = await service.createSite('https://www.example/');
      const page = (url: string, language: string, title: string, content: string) => ({
        url,
        language,
        title,
        content,
        contentType: 'text',
      });
      await service.api('POST', `/sites/${siteId}/pages`, {
        pages: [
          page('/en/gift', 'en', 'Gift vouchers', 'A gift makes the day of a friend. Buy vouchers for the old mill.'),
          page(
            '/de/gift',
            'de',
            'Gift im Garten',
            'Dieses Gift tötet Schnecken. Lagern Sie Gifte für Kinder unerreichbar.',
          ),
          page('/en/kind', 'en', 'Kind words', 'Be kind to every animal that lives near the mill.'),
          page('/de/kind', 'de', 'Kinder im Museum', 'Jedes Kind zahlt im Museum nur den halben Preis.'),
          page(
            '/de/muehle',
            'de',
            'Die alte Mühle',
            'In den Mühlen wurde Getreide gemahlen, heute sind es Ferienhäuser.',
          ),
        ],
      });
    });

    const found = async (query: string): Promise<readonly string[]> => {
      const { body } = await service.visit(`/public/sites/${siteId}/search?q=${encodeURIComponent(query)}`);
      return listOf(body.results).map(({ url }) => String(url).slice('https://www.example'.length));
    };

    it.each([
      ['vouchers', '/en/gift'],
      ['voucher for a friend', '/en/gift'],
      ['Schnecke', '/de/gift'],
      ['Gifte', '/de/gift'],
      ['Mühle', '/de/muehle'],
      ['mühlen', '/de/muehle'],
      ['Ferienhaus', '/de/muehle'],
      ['animals', '/en/kind'],
      ['Museums', '/de/kind'],
    ])('finds a page by a form that its own language has of a word: %s', async (query, path) => {
      expect((await found(query))[0]).toBe(path);
    });

    it('a search finds the pages of both languages by a word that both have', async () => {
      expect((await found('gift')).toSorted()).toEqual(['/de/gift', '/en/gift']);
    });

    it('a search ranks the page first whose language has the word', async () => {
      expect((await found('kinder'))[0]).toBe('/de/kind');
      expect((await found('kinder words'))[0]).toBe('/en/kind');
      expect(await found('vouchern')).not.toContain('/de/gift');
    });
  });
});
