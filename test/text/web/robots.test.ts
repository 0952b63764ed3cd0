import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRobots } from '../../../lambdas/text/web/robots.ts';

const lines = (...text: readonly string[]) => text.join('\n');
const allows = (robotstxt: string, path: string, agent = 'foobot') =>
  parseRobots(robotstxt).allows(`http://example.com${path}`, agent);

describe('groups', () => {
  const robotstxt = lines(
    'Disallow: /before',
    'User-agent: *',
    'Disallow: /all',
    '',
    'User-agent: FooBot # a comment',
    'User-agent: BarBot/2.1',
    '',
    'Disallow: /both',
    'User-agent: BazBot',
    'User-agent: foobot',
    'Allow: /both/open',
    'User-agent: EmptyBot',
  );

  it.each([
    ['foobot', '/both', false],
    ['FOOBOT', '/both', false],
    ['FooBot/3.0 (+http://example.com)', '/both', false],
    ['foobot', '/both/open/a', true],
    ['barbot', '/both/open/a', false],
    ['bazbot', '/both', true],
    ['foobot', '/all', true],
    ['foobot', '/before', true],
    ['otherbot', '/all', false],
    ['otherbot', '/both', true],
    ['otherbot', '/before', true],
    ['foo', '/both', true],
    ['foobot2', '/all', false],
    ['emptybot', '/all', true],
  ])('answer %s at %s with %s', (agent, path, allowed) => {
    expect(allows(robotstxt, path, agent)).toBe(allowed);
  });

  it('are not ended by other records', () => {
    const text = lines('User-agent: a', 'Sitemap: /s', 'Crawl-delay: 3', 'Unknown: x', 'User-agent: b', 'Disallow: /');
    expect(allows(text, '/', 'a')).toBe(false);
    expect(parseRobots(text).crawlDelay('b')).toBe(3);
  });

  it('end at an empty rule', () => {
    expect(allows(lines('User-agent: a', 'Disallow:', 'User-agent: b', 'Disallow: /'), '/', 'a')).toBe(true);
  });

  it('without an agent take their rules with them', () => {
    expect(allows(lines('User-agent: foobot', 'Allow: /', 'User-agent:', 'Disallow: /a'), '/a')).toBe(true);
  });
});

describe('rules', () => {
  it.each([
    ['/fish', '/fish.html', true],
    ['/fish', '/Fish', false],
    ['/fish*', '/fish', true],
    ['/fish*$', '/fisherman', true],
    ['/fish/', '/fish', false],
    ['/*.php', '/a/b.php?c', true],
    ['/*.php$', '/a/b.php?c', false],
    ['/*.php$', '/a.php/b.php', true],
    ['/a*b*c$', '/a-b-b-c', true],
    ['/a*ab$', '/ab', false],
    ['/$', '/', true],
    ['/$', '/a', false],
    ['*', '/a', true],
    ['*a', '/xa', true],
    ['/a***b', '/a-b', true],
    ['a', '/a', false],
    ['/a$b', '/a$bc', true],
    ['/a%24', '/a$', true],
    ['/a%2A', '/a*', true],
    ['/a%2A', '/ab', false],
    ['/a?b', '/a?b=1', true],
    ['/ツ', '/%E3%83%84', true],
    ['/%e3%83%84', '/%E3%83%84', true],
    ['/%62%61%7A', '/baz', true],
    ['/%7ejoe', '/~joe', true],
    ['/a%2fb', '/a%2Fb', true],
    ['/a%2Fb', '/a/b', false],
    ['/a b', '/a%20b', true],
    ['/a"<>|b', '/a%22%3C%3E|b', true],
    ['/%', '/%', true],
    ['/\ud800', '/%EF%BF%BD', true],
  ])('%s matches %s: %s', (pattern, path, matched) => {
    expect(allows(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(!matched);
  });

  it.each([
    [['Allow: /a', 'Disallow: /'], true],
    [['Disallow: /', 'Allow: /a'], true],
    [['Allow: /a', 'Disallow: /a'], true],
    [['Disallow: /a*', 'Allow: /a'], true],
    [['Allow: /a', 'Disallow: /*/b'], false],
    [['Allow: /a', 'Disallow: /%61/b'], false],
  ])('%j: the longest rule wins, Allow at equal length', (rules, allowed) => {
    expect(allows(['User-agent: *', ...rules].join('\n'), '/a/b')).toBe(allowed);
  });

  it.each(['*a'.repeat(1000), '*a'.repeat(200_000), `/${'*'.repeat(400_000)}`, `/${'*aa'.repeat(100)}`])(
    'are matched in time though they could be in many ways (%#)',
    (pattern) => {
      expect(allows(`User-agent: *\nDisallow: ${pattern}b$`, `/${'a'.repeat(2000)}`)).toBe(true);
    },
  );

  it('never forbid robots.txt itself', () => {
    expect(allows('User-agent: *\nDisallow: /', '/robots.txt')).toBe(true);
  });

  it('match like a regular expression of the pattern', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '$', '/'), maxLength: 8 });
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 });
    fc.assert(
      fc.property(letters, path, (pattern, rest) => {
        const source = pattern.replace(/\$(?!$)/g, '\\$').replace(/\*/g, '.*');
        const expected = pattern !== '' && new RegExp(`^/${source}`).test(`/${rest}`);
        expect(allows(`User-agent: *\nDisallow: /${pattern}`, `/${rest}`)).toBe(!(expected || pattern === ''));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('lines', () => {
  it.each([
    ['CR', 'User-agent: *\rDisallow: /\r'],
    ['CRLF', 'User-agent: *\r\nDisallow: /\r\n'],
    ['a mixture', 'User-agent: *\n\rDisallow: /'],
    ['blanks and tabs', ' \tUser-agent \t:\t * \n  Disallow  :  /  '],
    ['no blanks', 'user-agent:*\ndisallow:/'],
    ['a byte order mark', '\ufeffUser-agent: *\nDisallow: /'],
    ['half a byte order mark', '\ufffdUser-agent: *\nDisallow: /'],
    ['no colon', 'User-agent *\nDisallow /'],
    ['misspellings', 'Useragent: *\nDissallow: /'],
    ['a comment behind', 'User-agent: * # all\nDisallow: / # everything'],
    ['binary rubbish', '\0\u0001\n:\n::\nUser-agent: *\n\ud800\nDisallow: /\n:/'],
  ])('are read with %s', (_, robotstxt) => {
    expect(allows(robotstxt, '/a')).toBe(false);
  });

  it('that are unknown change nothing', () => {
    const html = '<!DOCTYPE html>\n<p>User-agent: * is\ndisallow all of this\nUser-agents: *\nDisallow: /';
    expect(allows(html, '/a')).toBe(true);
  });

  it('are read up to 500 KiB, without a line that the limit cuts', () => {
    const rule = '\nDisallow: /ab';
    const before = `User-agent: *\n${'#'.repeat(512_000 - 14 - rule.length)}`;
    expect(allows(`${before}${rule}\nAllow: /ab`, '/ab')).toBe(false);
    expect(allows(`${before}#${rule}\nAllow: /ab`, '/ab')).toBe(true);
    expect(allows(`${before}##${rule}`, '/a')).toBe(true);
  });

  it('of any text do not throw', () => {
    const line = fc.tuple(
      fc.constantFrom('User-agent:', 'Disallow:', 'Allow: /', 'Crawl-delay:', '#', ''),
      fc.string(),
    );
    const text = fc.array(line).map((pairs) => pairs.map(([key, value]) => `${key}${value}`).join('\n'));
    fc.assert(
      fc.property(text, fc.webUrl(), (robotstxt, url) => typeof parseRobots(robotstxt).allows(url, 'a') === 'boolean'),
    );
  });
});

describe('other records', () => {
  it('set the crawl delay of the agent, the longest of several', () => {
    const robots = parseRobots(
      lines(
        'User-agent: *',
        'Crawl-delay: 10',
        'Disallow: /',
        'User-agent: a',
        'Crawl-delay: 0.5',
        'Disallow: /',
        'User-agent: a',
        'Crawl-delay: 2s',
      ),
    );
    expect(robots.crawlDelay('a')).toBe(2);
    expect(robots.crawlDelay('b')).toBe(10);
    expect(parseRobots('User-agent: *\nDisallow: /').crawlDelay('a')).toBeUndefined();
  });

  it.each(['', 'soon', '-1', 'Infinity', '1e999'])('give no pause for %j', (value) => {
    expect(parseRobots(`User-agent: *\nCrawl-delay: ${value}`).crawlDelay('a')).toBeUndefined();
  });

  it('name sitemaps in any group, each once', () => {
    const text = lines(
      'Sitemap: http://example.com/1.xml',
      'User-agent: a',
      'sitemap: /2.xml',
      'Disallow:',
      'SITEMAP:/2.xml',
      'Sitemap:',
    );
    expect(parseRobots(text).sitemaps).toEqual(['http://example.com/1.xml', '/2.xml']);
  });
});
