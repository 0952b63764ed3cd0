import { Marked, Renderer } from 'marked';
import { type Chapter, escapeHtml } from './demo-shell.ts';

export type MarkdownPage = {
  readonly title: string | undefined;
  /** The start of the first paragraph, cut between words. Empty without a paragraph. */
  readonly lead: string;
  readonly chapters: readonly Chapter[];
  readonly html: string;
};

/** Returns the target of a link on the rendered page. With undefined, only the link's text is shown. */
export type LinkRewriter = (href: string) => string | undefined;

const MAX_LEAD = 200;

/** Renders GitHub-flavoured Markdown. Shows raw HTML as text, and an image, which is not served, as its alt text. */
export function renderMarkdown(markdown: string, rewrite: LinkRewriter): MarkdownPage {
  const chapters: Chapter[] = [];
  const idOf = headingIds();
  let title: string | undefined;
  let lead: string | undefined;
  const marked = new Marked({
    // Without these tokenizers, raw HTML is text, and text is escaped.
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
      // Keyboards can scroll a wide code block only if it can have the focus.
      code(token) {
        return Renderer.prototype.code.call(this, token).replace('<pre>', '<pre tabindex="0">');
      },
      table(token) {
        return `<div class="wide" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, lead: lead ?? '', chapters, html };
}

/**
 * Returns a function for the ids of headings. They are those of GitHub, so that links to headings work in both. The
 * second heading with the same text is `text-1`.
 */
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
  return line.length <= MAX_LEAD ? line : `${line.slice(0, line.lastIndexOf(' ', MAX_LEAD))} …`;
}
