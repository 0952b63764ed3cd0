/** Where the package of the browser has one. Elsewhere its tests are skipped. */
export const hasBrowser = process.platform === 'linux' && process.arch === 'x64';
