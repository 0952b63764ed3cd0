import { userAgent } from '../../text/web/user-agent.ts';

/** The version that `@sparticuz/chromium` carries; websites look at it to know what the browser can. */
const CHROME_VERSION = '153.0.0.0';
const MEGABYTES_OF_SCRIPTS = 512;

export type BrowserFlags = {
  /** The only way out of the browser. */
  readonly proxyPort: number;
  readonly contact: string | undefined;
  /** Whether the system lets the browser isolate its processes. */
  readonly hasSandbox: boolean;
};

/** With the name of the crawler, so that owners recognise it and robots.txt can address it. */
export const browserUserAgent = (contact: string | undefined): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROME_VERSION} Safari/537.36 ` +
  userAgent(contact);

/**
 * How Chromium is started. The list of `@sparticuz/chromium` is not used: it turns web security off, and with its
 * `--single-process` the browser dies with the second page (docs/decisions/014-rendering.md).
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

/** Everything goes through the proxy: the browser resolves no name, and sends no datagram. */
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
  // Hidden pages would be slowed down.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  `--js-flags=--max-old-space-size=${MEGABYTES_OF_SCRIPTS}`,
];

/** Without what a browser does by itself. */
export const QUIET_FLAGS = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-dev-shm-usage', // functions have no /dev/shm
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
