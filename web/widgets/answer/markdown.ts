import { html, nothing, type TemplateResult } from 'lit/html.js';
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ChatSource } from '../../../packages/client/src/chat-events.ts';
import { sourceOf } from './source-links.ts';

type Part = TemplateResult | string | typeof nothing;
export type MarkdownContext = {
  readonly sources: readonly ChatSource[];
  /** Accessible names: of a citation, of the button of a code block, and of a table that scrolls. */
  readonly citation: (source: ChatSource, number: number) => string;
  readonly copyLabel: string;
  readonly copiedLabel: string;
  readonly tableLabel: string;
};

/** Nothing longer is formatted: the answers of the service have some thousand characters. */
const MAX_LENGTH = 20_000;
/** Lists and quotations within each other. Deeper ones are text. */
const MAX_DEPTH = 12;
/** Hundreds of markers in a line would nest as deep, and the lexer calls itself for each. */
const NESTED = /^(?:[ \t]*(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])){13,}/gm;
const CITATION = /\[(\d{1,2})\]/;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};
const ENTITY = /&(lt|gt|amp|quot|#39|nbsp);/g;

/**
 * The Markdown of an answer as templates: its HTML is text, its images are their text, and only sources are links.
 * `isWhole` is false while more is to come.
 */
export function markdownParts(text: string, context: MarkdownContext, isWhole: boolean): readonly Part[] {
  const shown = text.slice(0, MAX_LENGTH);
  return blocks(tokensOf(isWhole ? shown : settled(shown)), context, 0);
}

/** The words of an answer, for a screen reader to announce. */
export const markdownWords = (text: string): string =>
  words(tokensOf(text.slice(0, MAX_LENGTH)))
    .replaceAll(/\s*\[\d{1,2}\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

function tokensOf(text: string): readonly Token[] {
  try {
    return new Lexer().lex(text.replaceAll(NESTED, ''));
  } catch {
    return [{ type: 'text', raw: text, text }]; // the lexer calls itself for each level, until the stack is full
  }
}

/**
 * The text without its unfinished end, so that no sign appears that the next part would turn into markup: an open
 * link, a table before its line of dashes. Open emphasis and code are closed.
 */
export function settled(text: string): string {
  const start = text.lastIndexOf('\n\n') + 1;
  const fences = text.match(/^ {0,3}(?:`{3,}|~{3,})/gm)?.length ?? 0;
  if (fences % 2 === 1) return text;
  const block = text
    .slice(start)
    .replace(/^\|.*(?:\n\|?[\s:|-]*)?$/m, (lines) => (start + lines.length >= text.length - 1 ? '' : lines))
    .replace(/\[(?!\d{1,2}\]$)[^\]\n]*(?:\](?:\([^)\n]*)?)?$/, '')
    .replace(/[*_`~]+$/, '');
  return text.slice(0, start) + block + closing(block);
}

/** The markers that close what the block has opened. */
function closing(block: string): string {
  if ((block.match(/`/g)?.length ?? 0) % 2 === 1) return '`';
  const plain = block.replaceAll(/`[^`]*`/g, '');
  return (plain.match(/\*\*/g)?.length ?? 0) % 2 === 1 ? '**' : '';
}

const blocks = (tokens: readonly Token[], context: MarkdownContext, depth: number): readonly Part[] =>
  depth > MAX_DEPTH ? [words(tokens)] : tokens.map((token) => block(token as MarkedToken, context, depth));

function block(token: MarkedToken, context: MarkdownContext, depth: number): Part {
  switch (token.type) {
    case 'space':
    case 'def':
      return nothing;
    case 'paragraph':
      return html`<p>${inline(token.tokens, context)}</p>`;
    case 'heading':
      return html`<p><strong>${inline(token.tokens, context)}</strong></p>`;
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens, context, depth + 1)}</blockquote>`;
    case 'list':
      return list(token, context, depth);
    case 'code':
      return code(token.text, context);
    case 'table':
      return table(token, context);
    case 'hr':
      return html`<hr />`;
    case 'html':
      return html`<p>${token.raw}</p>`;
    default:
      return html`${span(token, context)}`;
  }
}

function list({ ordered, start, items }: Tokens.List, context: MarkdownContext, depth: number): TemplateResult {
  const shown = items.map((item) => html`<li>${blocks(item.tokens, context, depth + 1)}</li>`);
  return ordered ? html`<ol start=${start || 1}>${shown}</ol>` : html`<ul>${shown}</ul>`;
}

function code(text: string, { copyLabel, copiedLabel }: MarkdownContext): TemplateResult {
  async function copy({ currentTarget: button }: Event): Promise<void> {
    await navigator.clipboard.writeText(text);
    if (button instanceof HTMLElement) button.textContent = copiedLabel;
  }
  const button = html`<button type="button" class="copy" aria-live="polite" @click=${copy} .textContent=${copyLabel}></button>`;
  return html`<div class="code"><pre tabindex="0"><code>${text}</code></pre>${canCopy() ? button : nothing}</div>`;
}

/** Only pages by HTTPS and on the machine itself may write to the clipboard. */
const canCopy = (): boolean => typeof navigator !== 'undefined' && 'clipboard' in navigator;

function table({ header, rows }: Tokens.Table, context: MarkdownContext): TemplateResult {
  const cell = ({ tokens }: Tokens.TableCell) => inline(tokens, context);
  return html`<div class="table" tabindex="0" role="group" aria-label=${context.tableLabel}><table>
    <thead><tr>${header.map((each) => html`<th scope="col">${cell(each)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((each) => html`<td>${cell(each)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

const inline = (tokens: readonly Token[] | undefined, context: MarkdownContext): readonly Part[] =>
  (tokens ?? []).flatMap((token) => span(token as MarkedToken, context));

function span(token: MarkedToken, context: MarkdownContext): Part | readonly Part[] {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inline(token.tokens, context)}</strong>`;
    case 'em':
      return html`<em>${inline(token.tokens, context)}</em>`;
    case 'del':
      return html`<del>${inline(token.tokens, context)}</del>`;
    case 'codespan':
      return html`<code>${token.text}</code>`;
    case 'br':
      return html`<br />`;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'link':
      return link(token, context);
    case 'html':
      return token.raw;
    case 'text':
      return token.tokens ? inline(token.tokens, context) : withCitations(decoded(token.text), context);
    default:
      return words([token]);
  }
}

function link({ href, tokens }: Tokens.Link, context: MarkdownContext): Part | readonly Part[] {
  const source = sourceOf(href, context.sources);
  const label = inline(tokens, context);
  return source ? html`<a href=${source.url} data-source=${source.url}>${label}</a>` : label;
}

function withCitations(text: string, { sources, citation }: MarkdownContext): readonly Part[] {
  return text.split(CITATION).map((part, i) => {
    if (i % 2 === 0) return part;
    const source = sources[Number(part) - 1];
    if (!source || !sourceOf(source.url, sources)) return `[${part}]`;
    const name = citation(source, Number(part));
    return html`<a class="citation" href=${source.url} data-source=${source.url} aria-label=${name} title=${source.title}>${part}</a>`;
  });
}

const decoded = (text: string): string => text.replaceAll(ENTITY, (sign, name: string) => ENTITIES[name] ?? sign);

/** The words of tokens, without any markup. */
function words(tokens: readonly Token[]): string {
  return tokens
    .map((each) => {
      const token = each as MarkedToken;
      if (token.type === 'list') return token.items.map((item) => words(item.tokens)).join('\n');
      if (token.type === 'table')
        return [token.header, ...token.rows].map((row) => row.map(({ text }) => text).join(', ')).join('\n');
      if ('tokens' in token && token.tokens) return words(token.tokens) + (isBlock(token) ? '\n' : '');
      if (token.type === 'html') return token.raw;
      return 'text' in token ? decoded(token.text) : ' ';
    })
    .join('');
}

const isBlock = ({ type }: MarkedToken): boolean => type === 'paragraph' || type === 'heading' || type === 'blockquote';
