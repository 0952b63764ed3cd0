import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indexDefinition } from '../../lambdas/aws/opensearch/index/index-mapping.ts';
import { indexName } from '../../lambdas/aws/opensearch/index-name.ts';

const nameOf = (space: string) => indexName({ space });

describe('The index of an embedding space', () => {
  it('the name of an index begins with its space', () => {
    expect(nameOf('openai-text-embedding-3-small-512')).toBe('pages-v11-openai-text-embedding-3-small-512-f6efd52a');
  });

  it('the name of an index is unique, and OpenSearch accepts it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 200 }), { minLength: 2, maxLength: 5 }), (spaces) => {
        const names = spaces.map(nameOf);
        expect(new Set(names).size).toBe(spaces.length);
        for (const name of names) expect(name).toMatch(/^pages-v11-[a-z0-9-]{1,120}$/);
      }),
    );
  });

  it('the name of an index changes whenever its definition changes: raise MAPPING if this fails', () => {
    const definition = JSON.stringify(indexDefinition(384, { shards: 1, replicas: 0 }));
    expect([nameOf('x').slice(0, 10), createHash('sha256').update(definition).digest('hex').slice(0, 8)]).toEqual([
      'pages-v11-',
      '59e696a4',
    ]);
  });
});
