import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { QUIET_FLAGS } from '../../lambdas/connectors/chromium/browser-flags.ts';
import { findBrowser } from '../../lambdas/connectors/chromium/browser-path.ts';

/** The browser that crawls use, for the pages of the service. */
export async function openBrowser(): Promise<Browser> {
  const { path, env } = await findBrowser(process.env.CHROMIUM_PATH);
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', ...QUIET_FLAGS];
  return puppeteer.launch({ executablePath: path, env: { ...process.env, ...env }, args });
}

export type Screen = { readonly width: number; readonly scheme: 'light' | 'dark' };

/** Opens a page and waits until it asks for nothing more. `threw` is called with each error of its scripts. */
export async function openPage(
  browser: Browser,
  url: string,
  { width, scheme }: Screen,
  threw: (message: string) => void = () => {},
): Promise<Page> {
  const page = await browser.newPage();
  page.on('pageerror', (error) => threw(String(error)));
  await page.setViewport({ width, height: 900, isMobile: width < 600, hasTouch: width < 600 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(url, { waitUntil: 'networkidle0' });
  return page;
}
