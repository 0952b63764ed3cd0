import { Marked, Renderer } from 'marked';
import { type Chapter, escapeHtml } from './demo-shell.ts';

export type MarkdownPage = {
  /** The text of the first heading of level 1; undefined without one. */
  readonly title: string | undefined;
  /** The text of the first paragraph, cut at a word; empty without one. */
  readonly lead: string;
  readonly chapters: readonly Chapter[];
  readonly html: string;
};

/** Where a link leads from the page it stands on; undefined: nowhere, so that only its text is shown. */
export type LinkRewriter = (href: string) => string | undefined;

const MOST_LEAD = 200;

/** Renders GitHub-flavoured Markdown; raw HTML in it is shown as text, and an image, which is not served, as its description. */
export function renderMarkdown(markdown: string, rewrite: LinkRewriter): MarkdownPage {
  const chapters: Chapter[] = [];
  const idOf = headingIds();
  let title: string | undefined;
  let lead: string | undefined;
  const marked = new Marked({
    // Without these two no raw HTML is recognised: it stays text, and all text is escaped.
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      heading({ depth, tokens }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = idOf(text);
        if (depth === 1) title ??= text;
        if (depth === 2) chapters.push({ id, title: text });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      paragraph({ tokens }) {
        lead ??= cut(this.parser.parseInline(tokens, this.parser.textRenderer));
        return false;
      },
      link({ href, tokens }) {
        const target = rewrite(href);
        const text = this.parser.parseInline(tokens);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      image: ({ text }) => escapeHtml(text),
      // Wide tables scroll on their own.
      table(token) {
        return `<div class="wide">${Renderer.prototype.table.call(this, token)}</div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, lead: lead ?? '', chapters, html };
}

/** Ids as GitHub gives them, so that a link to a heading works there and here; a second heading of one text is `text-1`. */
function headingIds(): (text: string) => string {
  const counts = new Map<string, number>();
  return (text) => {
    const id = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MOST_LEAD ? line : `${line.slice(0, line.lastIndexOf(' ', MOST_LEAD))} …`;
}
