import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { log } from '../../lambdas/runtime/log.ts';
import { newSecret } from '../../lambdas/runtime/system.ts';
import { ServiceLog } from '../support/service-log.ts';

describe('a line of the log', () => {
  const { write } = process.stderr;
  let lines: string[];

  beforeEach(() => {
    lines = [];
    process.stderr.write = (line) => lines.push(String(line)) > 0;
  });
  afterEach(() => {
    process.stderr.write = write;
  });

  it('is JSON with level, message and fields, and an error has its causes', () => {
    log('error', 'it failed', { siteId: 's', error: new Error('outer', { cause: new Error('inner') }) });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        time: expect.any(String),
        level: 'error',
        message: 'it failed',
        siteId: 's',
        error: expect.objectContaining({ message: 'outer', cause: expect.objectContaining({ message: 'inner' }) }),
      },
    ]);
  });

  it('has the id of an API key but not its secret, wherever the key stands', () => {
    const keyId = randomUUID();
    const secret = newSecret();
    const key = `ssk_${keyId}_${secret}`;
    log('error', `refused ${key}`, {
      header: `Bearer ${key}`,
      error: new Error(`bad ${key}"`, { cause: new Error(key) }),
    });
    expect(lines.join()).not.toContain(secret);
    expect(lines.join().split(`ssk_${keyId}_[secret]`).length).toBeGreaterThan(4);
    expect(() => JSON.parse(lines.join())).not.toThrow();
  });
});

describe('the log of a service under test', () => {
  const secret = newSecret();
  const watched = (): { readonly log: ServiceLog; readonly shown: string[] } => {
    const shown: string[] = [];
    return { log: new ServiceLog((line) => shown.push(line)), shown };
  };

  it.each([
    ['a key', (log: ServiceLog) => log.addSecret(`ssk_${randomUUID()}_${secret}`)],
    ['a key of an answer', (log: ServiceLog) => log.addSecretsOf(JSON.stringify({ keyId: 'x', apiKey: secret }))],
    ['a session of an answer', (log: ServiceLog) => log.addSecretsOf(JSON.stringify({ sessionId: secret }))],
    ['a variable', (log: ServiceLog) => log.addEnvironment({ OPENAI_API_KEY: secret, OPENAI_BASE_URL: 'http://x' })],
  ])('must not have the secret of %s, known before or after it is written', (_, add) => {
    for (const isBefore of [true, false]) {
      const { log } = watched();
      if (isBefore) add(log);
      log.write(`{"level":"info","message":"well"}\n{"level":"debug","header":"${secret.slice(0, 9)}`);
      expect(() => log.assertNoSecrets()).not.toThrow();
      log.write(`${secret.slice(9)}"}\n`);
      if (!isBefore) add(log);
      expect(() => log.assertNoSecrets()).toThrow('secret');
    }
  });

  it('shows warnings, errors and what is no JSON', () => {
    const { log, shown } = watched();
    const lines = ['{"level":"debug"}\n', '{"level":"info"}\n', '{"level":"warn"}\n', '{"level":"error"}\n', 'Oh\n'];
    log.write(lines.join(''));
    expect(shown).toEqual(lines.slice(2));
  });
});
