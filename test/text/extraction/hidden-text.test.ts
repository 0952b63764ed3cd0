import { describe, expect, it } from '@jest/globals';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { plainText } from '../../../lambdas/text/page-content.ts';

const PROSE = 'The mill grinds rye and wheat for the bakers of the valley, and sells what is left over.';
const read = (body: string): string =>
  plainText(extractHtml(`<title>Mills</title><p>${PROSE}</p>${body}`, 'https://www.example.com/'));
const isRead = (body: string): boolean => read(body).includes('secret');

describe('text is left out that is', () => {
  it.each([
    'opacity:0',
    'opacity: 0.01 !important',
    'font-size:0',
    'font-size: 1px',
    'font: 0/0 serif',
    'font-size:1%',
    'width:0;height:0;overflow:hidden',
    'position:absolute;width:1px;height:1px;overflow:hidden',
    'height:0;overflow:hidden',
    'max-height:0px; overflow:hidden',
    'width:0; overflow:hidden; white-space:nowrap',
    'position:absolute;clip:rect(0 0 0 0)',
    'position:absolute;clip:rect(1px, 1px, 1px, 1px)',
    'clip-path:inset(50%)',
    'clip-path: polygon(0 0, 0 0, 0 0)',
    'clip-path:circle(0)',
    'position:absolute;left:-9999px',
    'position:fixed;top:-100em',
    'transform:scale(0)',
    'content-visibility:hidden',
  ])('drawn with %s, inline or by a rule', (style) => {
    expect(isRead(`<p style="${style}">secret words</p>`)).toBe(false);
    expect(isRead(`<style>.x{${style}}</style><p class=x>secret words</p>`)).toBe(false);
    expect(isRead(`<style>#y{color:red;${style}}</style><p id=y>secret words</p>`)).toBe(false);
  });

  it('in an element inside of one with tiny letters, if that says nothing of its size', () => {
    expect(isRead('<div style="font-size:0"><span><b>secret</b></span></div>')).toBe(false);
  });
});

describe('text is kept that is', () => {
  it.each([
    'opacity:0.5',
    'opacity:0;transition:opacity 1s',
    'opacity:0;transform:translateY(20px)',
    'font-size:10px',
    'font-size:0.8em',
    'font:12px/1.5 serif',
    'height:0',
    'max-height:0;overflow:hidden;transition:max-height .3s',
    'overflow:hidden;height:100px',
    'left:-9999px',
    'position:absolute;left:-40px',
    'clip:rect(0, 100px, 20px, 0)',
    'clip-path:inset(0)',
    'transform:scale(.9)',
    'text-indent:-9999px',
  ])('drawn with %s', (style) => {
    expect(isRead(`<p style="${style}">secret words</p>`)).toBe(true);
  });

  it('readable inside of an element with tiny letters', () => {
    expect(isRead('<div style="font-size:0"><span style="font-size:14px">secret</span></div>')).toBe(true);
    expect(
      isRead('<style>.row{font-size:0}.cell{font-size:1rem}</style><div class=row><p class=cell>secret</div>'),
    ).toBe(true);
  });

  it('tiny, but most of the page: then its size is set elsewhere', () => {
    expect(isRead(`<div style="font-size:0"><p>${'secret words '.repeat(30)}</div>`)).toBe(true);
  });

  it('one of many that scripts fade in', () => {
    expect(isRead('<p style="opacity:0">secret</p>'.repeat(5))).toBe(true);
  });

  it('folded, and opened by a button', () => {
    const answer = '<div id=a1 style="height:0;overflow:hidden">secret</div>';
    expect(isRead(`<button aria-controls=a1>How?</button>${answer}`)).toBe(true);
    expect(isRead(answer.replace('id=a1', 'class=faq-answer'))).toBe(true);
  });
});
