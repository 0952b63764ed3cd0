/** A browser to test in place of that of the package. */
export const { CHROMIUM_PATH } = process.env;

/** Elsewhere the package has none, and the tests of the browser are skipped. */
export const hasBrowser = process.platform === 'linux' && process.arch === 'x64';
