import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/* Prints what Spectral's OpenAPI rules find in the documents that are named as arguments, warnings too. */

type Finding = { readonly code: string; readonly path: readonly string[]; readonly message: string };
type Linter = {
  readonly setRuleset: (ruleset: { readonly extends: readonly unknown[] }) => void;
  readonly run: (document: unknown) => Promise<readonly Finding[]>;
};

const require = createRequire(new URL('generators/package.json', import.meta.url));
const { Spectral } = require('@stoplight/spectral-core') as { readonly Spectral: new () => Linter };
const { oas } = require('@stoplight/spectral-rulesets') as { readonly oas: unknown };

const linter = new Spectral();
linter.setRuleset({ extends: [oas] });
for (const file of process.argv.slice(2)) {
  const findings = await linter.run(JSON.parse(readFileSync(file, 'utf8')));
  for (const { code, path, message } of findings) console.log(`${file}: ${code} at ${path.join('.')}: ${message}`);
  if (findings.length > 0) process.exitCode = 1;
}
