import { LocalService } from '../support/local-service.ts';
import { openBrowser, openPage } from './browser.ts';

/* node test/browser/picture.ts: makes the picture of the README from the demo site. */

const FILE = new URL('../../docs/search-page.webp', import.meta.url).pathname;
const QUERY = 'how does a crawl survive a crash';

const service = await LocalService.start({ options: [] });
const browser = await openBrowser();
try {
  const url = `${service.ready.dashboardUrl}?q=${encodeURIComponent(QUERY)}`;
  const page = await openPage(browser, url, { width: 1000, scheme: 'light' });
  await page.reload({ waitUntil: 'networkidle0' }); // the first search of a start is slower
  await page.waitForSelector('>>> .verdict');
  await page.screenshot({ path: FILE as `${string}.webp`, type: 'webp', quality: 80 });
} finally {
  await browser.close();
  await service.end();
}
