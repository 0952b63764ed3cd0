import { userAgent } from '../../text/web/user-agent.ts';

/** The version of `@sparticuz/chromium`. Websites derive from it what the browser can do. */
const CHROME_VERSION = '153.0.0.0';
const MEGABYTES_OF_SCRIPTS = 512;

export type BrowserFlags = {
  /** The port of the proxy, which is the browser's only way out. */
  readonly proxyPort: number;
  readonly contact: string | undefined;
  /** Whether the operating system lets the browser isolate its processes. */
  readonly hasSandbox: boolean;
};

/** Returns a user agent with the crawler's name, so that owners recognise it and robots.txt can address it. */
export const browserUserAgent = (contact: string | undefined): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROME_VERSION} Safari/537.36 ` +
  userAgent(contact);

/**
 * Returns the command-line flags of Chromium. The flags of `@sparticuz/chromium` are not used: they turn web security
 * off, and their `--single-process` ends the browser with the second page (docs/decisions/014-rendering.md).
 */
export const browserFlags = ({ proxyPort, contact, hasSandbox }: BrowserFlags): readonly string[] => [
  '--headless',
  ...(hasSandbox ? [] : ['--no-sandbox']),
  `--user-agent=${browserUserAgent(contact)}`,
  ...NETWORK,
  `--proxy-server=http://127.0.0.1:${proxyPort}`,
  ...PAGES,
  ...QUIET_FLAGS,
];

/** Flags that send everything through the proxy: the browser resolves no name and sends no datagram. */
const NETWORK = [
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
];

const PAGES = [
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-3d-apis',
  '--disable-gpu',
  '--disable-notifications',
  '--disable-speech-api',
  '--mute-audio',
  '--no-pings',
  // Chromium would slow down hidden pages.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  `--js-flags=--max-old-space-size=${MEGABYTES_OF_SCRIPTS}`,
];

/** Flags that turn off what a browser does by itself. */
export const QUIET_FLAGS = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-dev-shm-usage', // Lambda functions have no /dev/shm
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-features=HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,MediaRouter,OptimizationHints,Translate',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--password-store=basic',
  '--use-mock-keychain',
];
