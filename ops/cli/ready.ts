import { hostInUrl } from '../../src/config/host-rules.ts';

/**
 * The container's health check: exit code 0 when this container's `/readyz` reports ready. The request goes to the
 * role's `OPS_HOST` and `OPS_PORT`; without a port, to the default ports of web and worker, one of which answers.
 */
const WAIT_MS = 4_000;
const HOST = hostInUrl(process.env.OPS_HOST || '127.0.0.1');
const DEFAULT_PORTS = ['3002', '3001'];

const ports = process.env.OPS_PORT ? [process.env.OPS_PORT] : DEFAULT_PORTS;
const answers = await Promise.all(ports.map(isReady));
process.exitCode = answers.includes(true) ? 0 : 1;

async function isReady(port: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://${HOST}:${port}/readyz`, { signal: AbortSignal.timeout(WAIT_MS) });
    return answer.ok;
  } catch {
    // A process that does not answer is not ready, whatever the reason; its own log has the details.
    return false;
  }
}
