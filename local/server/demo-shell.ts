const MIN_CHAPTERS = 3;

export type Chapter = { readonly id: string; readonly title: string };

export type Sheet = {
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly chapters: readonly Chapter[];
  /** Trusted HTML, which is not escaped. */
  readonly html: string;
  /** Whether the page only leads to other pages, so that a search shows those instead. */
  readonly isContents?: boolean;
};

/** Returns a complete HTML document. Escapes every field but `html`. */
export function demoShell({ path, title, lead, chapters, html, isContents }: Sheet): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(lead)}">${isContents ? '\n<meta name="robots" content="noindex">' : ''}
<link rel="canonical" href="${escapeHtml(path)}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<!-- [html-validate-disable-next require-sri -- of this server] -->
<link rel="stylesheet" href="/demo.css">
</head>
<body>
<header class="top">
<p class="brand"><img src="/favicon.svg" alt="" width="24" height="24"><a href="/demo/">Documentation</a></p>
<nav class="ways" aria-label="Elsewhere">
<a href="/" rel="nofollow">Search</a>
<a href="/docs" rel="nofollow">API reference</a>
</nav>
</header>
${contents(chapters)}<main>
${html}</main>
</body>
</html>
`;
}

function contents(chapters: readonly Chapter[]): string {
  if (chapters.length < MIN_CHAPTERS) return '';
  const items = chapters.map(({ id, title }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`);
  return `<nav class="contents" aria-label="On this page">\n<ul>\n${items.join('\n')}\n</ul>\n</nav>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
