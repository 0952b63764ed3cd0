import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageParts } from '../../../lambdas/domain/agents/page-parts.ts';

const sizeOf = (text: string): number => text.length;
const partsOf = (markdown: string, most: number) => pageParts(markdown, { most, sizeOf });

describe('the parts of a page', () => {
  it('begin with headings if their sections fit', () => {
    const section = (n: number) => `## Section ${n}\n\n${'Words. '.repeat(10)}\n\n### Detail\n\nMore.\n\n`;
    const parts = partsOf([1, 2, 3, 4].map(section).join(''), 250);
    expect(parts.map((part) => part.split('\n')[0])).toEqual(['## Section 1', '## Section 3']);
  });

  it('do not take a comment in code for a heading', () => {
    const code = `\`\`\`sh\n${'# a comment\nrun it\n'.repeat(4)}\`\`\``;
    expect(partsOf(`# Title\n\nText.\n\n${code}`, 90)).toEqual(['# Title\n\nText.', code]);
  });

  it('close a code block that is cut, and open it again', () => {
    const code = `\`\`\`js\n${'let x = 1;\n'.repeat(20)}\`\`\``;
    const parts = partsOf(code, 100);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part).toMatch(/^```js\n[^`]+\n```$/);
  });

  it('have all of the text in order, each within its size', () => {
    const line = fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom('# A', '## B', '', '- item', '🏮'.repeat(60)));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.integer({ min: 20, max: 200 }), (lines, most) => {
        const markdown = lines.join('\n').replace(/[`~]/g, '');
        const parts = partsOf(markdown, most);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(most);
        const bare = (text: string): string => text.replace(/\s+/g, '');
        expect(bare(parts.join(''))).toBe(bare(markdown));
      }),
    );
  });
});
