import type { HtmlNode, HtmlTree } from '../html/tree.ts';
import { wordSet } from '../html/word-set.ts';
import type { Block } from '../page-content.ts';
import { type BlockRole, BlockWriter } from './block-writer.ts';
import type { LinkedBlock } from './listed-text.ts';

export const INLINE = wordSet(`
  a abbr acronym b bdi bdo big button cite code data del dfn em font i img ins kbd label mark nobr output q rb rp rt
  rtc ruby s samp small span strike strong sub sup time tt u var wbr picture source
`);
/** A table that holds one of these is for layout: its cells are read as ordinary blocks. */
const LAYOUT_SIGN = wordSet('h1 h2 h3 h4 h5 h6 pre table form article section');
const LAYOUT_LOOKAHEAD = 2000;
/** The heading of a note does not head the text around the note. */
const ADMONITION = /(?:^|\s)(?:admonition|note|tip|important|warning|caution)(?:$|\s)/i;

const ROLES = new Map<string, BlockRole>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'heading'] as const),
  ...['ul', 'ol', 'dl', 'menu'].map((name) => [name, 'list'] as const),
  ['li', 'item'],
  ['dt', 'item'],
  ['dd', 'explanation'],
  ['pre', 'code'],
  ['thead', 'head'],
  ['tr', 'row'],
  ['td', 'cell'],
  ['th', 'cell'],
]);

/**
 * Returns the text below `root` in reading order, without the nodes that have a 1 in `dropped`. Text that the page
 * keeps out of snippets is in separate blocks, unless `all` text is requested.
 */
export function contentBlocks(
  tree: HtmlTree,
  root: number,
  dropped: Uint8Array,
  text: 'all' | 'marked' = 'marked',
): readonly LinkedBlock[] {
  const writer = new BlockWriter();
  const open: OpenElement[] = [];
  const end = tree[root]?.end ?? 0;
  let link: HtmlNode | undefined;
  for (let i = root; i < end; i++) {
    leaveEnded(writer, open, i);
    const node = tree[i];
    if (node === undefined) break;
    if (isLink(node)) link = node;
    if (dropped[i] === 1) {
      i = node.end - 1;
    } else if (text === 'marked' && node.attributes['data-nosnippet'] !== undefined) {
      writeSearchOnly(writer, contentBlocks(tree, i, dropped, 'all'), node);
      i = node.end - 1;
    } else if (node.name === '' || node.name === 'br' || INLINE.has(node.name)) {
      writeInline(writer, tree, i, link);
    } else {
      const role = roleOf(tree, i, node);
      writer.enter(role, node, anchorOf(node));
      open.push({ end: node.end, role });
    }
  }
  leaveEnded(writer, open, Number.POSITIVE_INFINITY);
  return writer.finish();
}

type OpenElement = { readonly end: number; readonly role: BlockRole };

function leaveEnded(writer: BlockWriter, open: OpenElement[], index: number): void {
  for (let top = open.at(-1); top !== undefined && top.end <= index; top = open.at(-1)) {
    writer.leave(top.role);
    open.pop();
  }
}

function writeSearchOnly(writer: BlockWriter, blocks: readonly Block[], { name }: HtmlNode): void {
  if (!INLINE.has(name)) writer.breakBlock();
  writer.addSearchOnly(blocks);
}

export const isLink = ({ name, attributes }: HtmlNode): boolean => name === 'a' && attributes.href !== undefined;

function writeInline(writer: BlockWriter, tree: HtmlTree, index: number, link: HtmlNode | undefined): void {
  const node = tree[index];
  if (node === undefined) return;
  if (node.name === '') {
    writer.addText(node.text, link !== undefined && index < link.end ? link.attributes.href : undefined);
  } else if (node.name === 'br') {
    writer.breakLine();
  } else {
    if (node.name === 'a' && isBehindElement(tree, index, node)) writer.addGap();
    writer.addAnchor(anchorOf(node));
  }
}

/** Returns whether an element ends right before this one. Browsers draw a space between such links. */
export function isBehindElement(tree: HtmlTree, index: number, { parent }: HtmlNode): boolean {
  const before = tree[index - 1];
  return index - 1 !== parent && !(before?.name === '' && before.parent === parent);
}

function anchorOf({ name, attributes }: HtmlNode): string | undefined {
  return attributes.id ?? (name === 'a' ? attributes.name : undefined);
}

export function roleOf(tree: HtmlTree, index: number, node: HtmlNode): BlockRole {
  if (node.name === 'table') return isLayoutTable(tree, index, node) ? 'other' : 'table';
  const role = ROLES.get(node.name) ?? 'other';
  return role === 'heading' && ADMONITION.test(tree[node.parent]?.attributes.class ?? '') ? 'other' : role;
}

function isLayoutTable(tree: HtmlTree, index: number, table: HtmlNode): boolean {
  const end = Math.min(table.end, index + LAYOUT_LOOKAHEAD);
  for (let i = index + 1; i < end; i++) if (LAYOUT_SIGN.has(tree[i]?.name ?? '')) return true;
  return false;
}
