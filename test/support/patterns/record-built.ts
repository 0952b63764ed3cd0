import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * A program: imports modules of a project, and prints the regular expressions that they build by `RegExp` meanwhile, as
 * JSON. `line` is where a module calls `RegExp`, or the function that does so for it.
 */
const [project = '', ...files] = process.argv.slice(2);
const BUILDER = 'long-pattern.ts';
const built: { readonly file: string; readonly line: number; readonly source: string; readonly flags: string }[] = [];

globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, args) => recorded(Reflect.construct(target, args)),
  apply: (target, self, args) => recorded(Reflect.apply(target, self, args)),
});
for (const file of files) await import(pathToFileURL(`${project}/${file}`).href);
console.log(JSON.stringify(built));
process.exit();

function recorded(pattern: RegExp): RegExp {
  for (const frame of new Error().stack?.split('\n') ?? []) {
    const [, url, line] = /(file:.*?):(\d+):\d+\)?$/.exec(frame) ?? [];
    const file = url && files.find((name) => fileURLToPath(url) === `${project}/${name}`);
    if (!file || file.endsWith(BUILDER)) continue;
    built.push({ file, line: Number(line), source: pattern.source, flags: pattern.flags });
    break;
  }
  return pattern;
}
