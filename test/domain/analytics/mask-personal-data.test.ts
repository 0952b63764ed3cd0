import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countedText, maskPersonalData } from '../../../lambdas/domain/analytics/mask-personal-data.ts';
import { processorTime } from '../../support/processor-time.ts';

describe('personal data', () => {
  it.each([
    ['write to ada.lovelace+x@mail.example.org please', 'write to [mail] please'],
    ['<ada@example.org>, bob@example.co.uk', '<[mail]>, [mail]'],
    ['card 4111 1111 1111 1111 refused', 'card [number] refused'],
    ['4111-1111-1111-1111', '[number]'],
    ['378282246310005', '[number]'],
    ['call +49 (30) 123456-78', 'call [number]'],
    ['DE89 3704 0044 0532 0130 00', 'DE[number]'],
    ['order 20261124', 'order [number]'],
    ['ssn 078-05-1120', 'ssn [number]'],
    ['card \u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661', 'card [number]'],
    ['bob\uff20example.com', '[mail]'],
    ['https://www.example/a?mail=bob%40example.com&b=1', 'https://www.example/a?mail=[mail]&b=1'],
  ])('is masked: %s', (text, masked) => {
    expect(maskPersonalData(text)).toBe(masked);
  });

  it.each([
    'iso 27001',
    'postgresql 16.4 release notes',
    'error 0x80070057',
    'rfc 9309 section 2.2.2',
    '@media print',
    'user@host',
    'port 5432 or 54321',
    'in 2024, 2025 and 2026',
    'node:fs readFile',
  ])('is not what %s has', (text) => {
    expect(maskPersonalData(text)).toBe(text);
  });

  it('is masked in any surroundings', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(maskPersonalData(`${before} ada@example.org ${after}`)).not.toContain('ada@example.org');
        expect(maskPersonalData(`${before}4111111111111111${after}`)).not.toContain('4111111111111111');
      }),
    );
  });

  it('hostile text takes no longer to mask than other text', () => {
    const texts = ['@', 'a', 'a@', '1', '1 ', '1-', '.', 'a@a.', '%40', 'a%40', '%40a.'].map((part) =>
      part.repeat(100_000),
    );
    for (const text of texts) {
      const time = processorTime();
      maskPersonalData(text);
      expect([text.slice(0, 4), time() < 1_000]).toEqual([text.slice(0, 4), true]);
    }
  });

  it('is masked before a query is counted, in lower case', () => {
    expect(countedText('  Mail ADA@Example.org \ud800 ')).toBe('mail [mail] \ufffd');
  });

  it('personal data is masked before a long query is cut, at a whole character', () => {
    const name = '\u{1f3ee}'.repeat(290);
    expect(countedText(`${name} ada@example.org and more`)).toBe(`${name} [mail] an`);
  });
});
