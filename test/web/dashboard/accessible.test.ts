import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { Owner } from './owner.ts';

const PAGE = { url: '/lantern', title: 'Lantern', content: 'A lantern burns oil.', contentType: 'text' };

/** `SITE` and `GROUP` stand for their ids. */
const SCREENS = [
  '/sites/SITE/searches?range=90d',
  '/sites/SITE/playground?q=lantern',
  '/sites/SITE/playground?q=What+burns%3F&mode=chat',
  '/sites/SITE/embed?widget=page',
  '/sites/SITE/settings',
  '/groups',
  '/groups/GROUP',
  '/keys',
  '/organisation',
];
const LOOKS = [
  { width: 1280, scheme: 'light', language: 'en' },
  { width: 360, scheme: 'dark', language: 'de' },
] as const;

describe('accessibility of the dashboard', () => {
  let owner: Owner;
  let ids: Readonly<Record<string, string>>;
  beforeAll(async () => {
    owner = await Owner.start();
    const siteId = await owner.site('Lanterns', [PAGE]);
    const publicAccess = { enabled: true, allowedDomains: ['*'] };
    const urlBoosts = [{ urlPrefix: '/docs/', boost: 2 }];
    const metadataSchema = [{ name: 'version', type: 'string', facet: true }];
    await owner.service.api('PUT', `/sites/${siteId}`, { publicAccess, urlBoosts, metadataSchema });
    for (const q of ['lantern', 'zeppelin']) await owner.service.visit(`/public/sites/${siteId}/search?q=${q}`);
    const { body } = await owner.service.api('POST', '/groups', { name: 'All', siteIds: [siteId] });
    ids = { SITE: siteId, GROUP: String(body.groupId) };
  });
  afterAll(() => owner.end());

  const pathOf = (screen: string) => screen.replace(/SITE|GROUP/, (name) => ids[name] ?? '');

  it.each(SCREENS.flatMap((screen) => LOOKS.map((look) => ({ screen, ...look }))))(
    'axe finds nothing at $screen, $width px wide, $scheme, $language, and nothing is cut off',
    async ({ screen, ...look }) => {
      const page = await owner.open(pathOf(screen), look);
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
      );
      expect(found).toEqual([]);
      expect(await page.$eval('html', (html) => html.scrollWidth)).toBeLessThanOrEqual(look.width);
      await page.close();
    },
  );

  it('throws nothing, and breaks no rule of the content security policy', () => {
    expect(owner.faults).toEqual([]);
  });
});
