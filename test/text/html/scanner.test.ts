import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Tokenizer } from 'htmlparser2';
import { scanHtml } from '../../../lambdas/text/html/scanner.ts';

type Event = readonly string[];

/** Joins adjacent texts. */
function addText(events: Event[], text: string): void {
  const last = events.at(-1);
  if (text === '') return;
  if (last?.[0] === 'text') events[events.length - 1] = ['text', `${last[1]}${text}`];
  else events.push(['text', text]);
}

function scanned(html: string, selfClosing = false): readonly Event[] {
  const events: Event[] = [];
  scanHtml(
    html,
    {
      onText: (start, end) => addText(events, html.slice(start, end)),
      onOpenTagName: (name) => events.push(['open', name]),
      onAttribute: (name, from, to) => events.push(['attribute', name, html.slice(from, to)]),
      onOpenTagEnd: (isSelfClosed) => events.push([isSelfClosed ? 'self-closed' : 'opened']),
      onCloseTag: (name) => events.push(['close', name]),
      isInForeignContext: () => false,
    },
    selfClosing,
  );
  return events;
}

function tokenized(html: string, recognizeSelfClosing: boolean): readonly Event[] {
  const events: Event[] = [];
  let name = '';
  let value = '';
  const nothing = (): void => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: false, recognizeSelfClosing },
    {
      ontext: (start, end) => addText(events, html.slice(start, end)),
      oncdata: (start, end, offset) => addText(events, html.slice(start, end - offset)),
      onopentagname: (start, end) => events.push(['open', html.slice(start, end).toLowerCase()]),
      onattribname: (start, end) => {
        name = html.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        value += html.slice(start, end);
      },
      onattribend: () => events.push(['attribute', name, value]),
      onopentagend: () => events.push(['opened']),
      onselfclosingtag: () => events.push(['self-closed']),
      onclosetag: (start, end) => events.push(['close', html.slice(start, end).toLowerCase()]),
      onattribentity: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontextentity: nothing,
      isInForeignContext: () => false,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return events;
}

describe('scanHtml', () => {
  it('reports the same events as the tokenizer of htmlparser2, for any sequence of markup', () => {
    const characters = ['<', '>', '/', ' ', '=', '"', "'", '-', '!', '?', '\n', 'a', 'é'];
    const tags = ['<p', '<div ', '</p>', '</', '<br/>', '</ x>', '</>', '="x"', "='y'", '=z', '<a b=c/>'];
    const markup = ['<!--', '-->', '--!>', '<!-->', '<!', '<?', '<![CDATA[', ']]>', '<!DOCTYPE x>'];
    const texts = [
      '<script>',
      '</script>',
      '</SCRIPT ',
      '<title>',
      '</title>',
      '<style/>',
      '<textarea>',
      '<plaintext>',
    ];
    const end = `"'>-->]]></script></style></title></textarea>.`;
    const part = fc.constantFrom(...characters, ...tags, ...markup, ...texts);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.boolean(), (parts, selfClosing) => {
        const html = parts.join('') + end;
        expect(scanned(html, selfClosing)).toEqual(tokenized(html, selfClosing));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['<p', '<p ', '<p a', '<p a=', '<p a="b>c', '</p', '<!-- a', '<![CDATA[ a', '<', '</'])(
    'reports no text for an unfinished tag at the end of a page: %s',
    (html) => {
      expect(scanned(html).filter(([kind, text]) => kind === 'text' && text !== '<')).toEqual([]);
    },
  );
});
