import os, { type NetworkInterfaceInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { addressCheck } from '../../../lambdas/connectors/fetcher/address-check.ts';
import { guardedConnector } from '../../../lambdas/connectors/fetcher/guarded-connector.ts';

const OWN = '93.184.215.14';
const OWN_IPV6 = '2606:2800:21f::14';
const infoOf = (address: string) => ({ address, netmask: '', mac: '', internal: false, cidr: null, scopeid: 0 });

describe('an address of this machine', () => {
  beforeAll(() => {
    const eth0 = [infoOf(OWN), infoOf(OWN_IPV6)] as unknown as NetworkInterfaceInfo[];
    jest.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0 });
  });
  afterAll(() => void jest.restoreAllMocks());

  const urls = [`http://${OWN}:9200/`, `http://[::ffff:${OWN}]/`, `http://[${OWN_IPV6}]/`, 'http://own.example/'];

  it.each(urls)('a public address of this machine is private: %s', async (url) => {
    const check = addressCheck({ allowHosts: [], timeoutMs: 1000, resolve: async () => ['93.184.215.15', OWN] });
    expect(await check(url)).toBe('private');
  });

  it.each(urls)('a public address of this machine gets no connection: %s', async (url) => {
    const connect = guardedConnector(
      () => false,
      1000,
      (_host, _options, answer) => answer(null, [{ address: OWN, family: 4 }]),
    );
    const { hostname, host, protocol, port } = new URL(url);
    const error = await new Promise((resolve) =>
      connect({ hostname, host, protocol, port: port || '80' }, (...[failure]) => resolve(failure)),
    );
    expect(error).toMatchObject({ reason: 'private_address' });
  });

  it('another address of the same network is public', async () => {
    const check = addressCheck({ allowHosts: [], timeoutMs: 1000, resolve: async () => ['93.184.215.15'] });
    expect(await check('http://other.example/')).toBe('crawlable');
  });

  it('a public address of this machine is admitted by name', async () => {
    const check = addressCheck({ allowHosts: ['own.example'], timeoutMs: 1000, resolve: async () => [OWN] });
    expect(await check('http://own.example/')).toBe('crawlable');
  });
});
