import { ourOutline, standardOutline } from './page-outline.ts';
import { materialNames, materialPage } from './pages.ts';

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** The parts of a page that our tree and that of parse5 have differently. */
export function differences(html: string): readonly string[] {
  const ours = ourOutline(html);
  const standard = standardOutline(html);
  const found: string[] = [];
  if (ours.text !== standard.text) found.push('text');
  if (!isSame(ours.headings, standard.headings)) found.push('headings');
  if (!isSame([...new Set(ours.links)], [...new Set(standard.links)])) found.push('links');
  else if (!isSame(ours.links, standard.links)) found.push('repeated links');
  return found;
}

// A command, because parse5 takes four times as long inside of Jest: a JSON line [name, …differences] for each page.
if (import.meta.main) {
  for (const name of materialNames() ?? []) {
    process.stdout.write(`${JSON.stringify([name, ...differences(materialPage(name))])}\n`);
  }
}
