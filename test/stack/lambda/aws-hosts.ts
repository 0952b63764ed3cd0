import { Agent } from 'node:https';
import { connect } from 'node:net';

/**
 * Within the process of a function: connections to hosts of AWS lead to the proxy, without TLS. Nothing else of the
 * function is changed, so it signs for the hosts that its environment names. Other hosts are refused, except those
 * that are reached without this agent: the websites that a crawl fetches, and the provider.
 */
export function connectAwsTo(port: number): void {
  Agent.prototype.createConnection = function createConnection(options: { host?: string | null }) {
    const host = String(options.host);
    if (!host.endsWith('.amazonaws.com')) throw new Error(`test/stack knows no host ${host}`);
    return connect({ host: '127.0.0.1', port });
  } as typeof Agent.prototype.createConnection;
}
