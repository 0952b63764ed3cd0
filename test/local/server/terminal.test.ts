import { describe, expect, it } from '@jest/globals';
import { printable } from '../../../local/server/terminal.ts';

describe('a text for a terminal', () => {
  it('a text for a terminal contains no commands, whatever the name of a site is', () => {
    const name = 'Caf\u00e9 \u001b]0;title\u0007\u001b[2J\u009b31m\r\u202e';
    expect(printable(`Crawl of ${name} started\n  advice`)).toBe('Crawl of Caf\u00e9 ]0;title[2J31m started\n  advice');
  });
});
