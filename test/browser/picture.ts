import { LocalService } from '../support/local-service.ts';
import { openBrowser, openPage } from './browser.ts';

/* node test/browser/picture.ts: makes the pictures of the README and the guide from the demo site. */

const fileOf = (name: string) => new URL(`../../docs/${name}.webp`, import.meta.url).pathname as `${string}.webp`;
const IMAGE = { type: 'webp', quality: 80 } as const;
const QUERY = 'how does a crawl survive a crash';

const service = await LocalService.start({ options: [] });
const browser = await openBrowser();
try {
  const url = `${service.ready.dashboardUrl}?q=${encodeURIComponent(QUERY)}`;
  const page = await openPage(browser, url, { width: 1000, scheme: 'light' });
  await page.reload({ waitUntil: 'networkidle0' }); // the first search of a start is slower
  await page.waitForSelector('>>> .verdict');
  await page.screenshot({ path: fileOf('search-page'), ...IMAGE });

  const { signInUrl, demoSiteId } = service.ready;
  const dashboard = await openPage(browser, String(signInUrl), { width: 1200, scheme: 'light' });
  const playground = new URL(`/app/sites/${demoSiteId}/playground?q=crawl`, String(signInUrl));
  await dashboard.goto(playground.href, { waitUntil: 'networkidle0' });
  await dashboard.waitForSelector('::-p-text(Why this rank?)');
  await dashboard.screenshot({ path: fileOf('dashboard'), ...IMAGE });
} finally {
  await browser.close();
  await service.end();
}
