import { describe, expect, it } from '@jest/globals';
import { listOf } from '../../support/answer.ts';
import type { World } from './world.ts';

export const gates = (world: () => World): void =>
  describe('the gates', () => {
    it('let nobody past the edge', async () => {
      const { gatewayUrl } = world().stack;
      const direct = await fetch(`${gatewayUrl}/live/api/sites`, { headers: { 'x-api-key': 'guessed' } });
      expect([direct.status, await direct.json()]).toMatchObject([401, { code: 'unauthorized' }]);
    });

    it('answer what no endpoint accepts', async () => {
      expect(await world().visitor('GET', '/nowhere')).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await world().visitor('GET', '/demo-site.json')).toMatchObject({ status: 404 });
      expect(await world().owner('PUT', '/api/sites')).toMatchObject({ status: 405 });
      expect((await world().owner('GET', '/api/sites/')).status).toBe(200);
    });

    it('take no body that is too large for a function', async () => {
      const body = JSON.stringify({ pages: [{ url: '/', content: 'x'.repeat(6_000_000) }] });
      const { status } = await world().owner('POST', '/api/sites/01890000-0000-7000-8000-000000000000/pages', { body });
      expect(status).toBe(413);
    });

    it('slow down callers beyond the throttle of the usage plan', async () => {
      const { gateway } = world().stack;
      gateway.exhaust();
      const refused = await world().visitor('GET', '/api/sites');
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', retryAfter: 1 } });
      expect(refused.headers.get('access-control-allow-origin')).toBe('*');
      gateway.rest();
    });

    it('open with keys that are made and revoked', async () => {
      const made = await world().api('POST', '/keys', { name: 'Second' });
      expect(listOf((await world().api('GET', '/keys')).keys)).toHaveLength(2);
      expect(await world().api('GET', '/organisation')).toMatchObject({ orgId: world().orgId });
      await world().api('DELETE', `/keys/${made.keyId}`);
    });
  });
