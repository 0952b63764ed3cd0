import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** A stemmer of the package, which lies beside the bundled code too (lib/bundle.ts). */
export function loadStemmer(name: string): (word: string) => string {
  const { stemmer } = load(`@orama/stemmers/${name}`) as { readonly stemmer: (word: string) => string };
  return stemmer;
}
