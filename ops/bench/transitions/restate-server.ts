import { join } from 'node:path';
import { logTail, startChild } from '../../dev/stack/child.ts';
import { freePort } from '../../dev/stack/free-port.ts';
import { waitUntil } from '../../dev/stack/lifecycle.ts';
import { PEER_PROGRAMS } from '../peers.ts';

/** A Restate server of one node on loopback; its log is flushed to disk before it answers, as it comes. */
export interface RestateServer {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

const READY_PATIENCE_MS = 60_000;

/** @throws Error with the end of the server's log when it does not come up */
export async function startRestate(dataDir: string): Promise<RestateServer> {
  const [node, ingress, admin] = [await freePort(), await freePort(), await freePort()];
  const child = await startChild({
    dataDir,
    name: 'restate',
    command: join(PEER_PROGRAMS, 'restate-server'),
    args: ['--no-logo'],
    env: {
      PATH: process.env.PATH,
      DO_NOT_TRACK: '1',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_BASE_DIR: join(dataDir, 'restate'),
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_BIND_PORT: String(node),
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      RESTATE_LOG_FILTER: 'warn',
    },
  });
  const adminUrl = `http://127.0.0.1:${admin}`;
  const ingressUrl = `http://127.0.0.1:${ingress}`;
  const healthy = async () =>
    (await answers(`${adminUrl}/health`)) && (await answers(`${ingressUrl}/restate/health`));
  const ready = await waitUntil(async () => !child.isRunning() || (await healthy()), {
    timeoutMs: READY_PATIENCE_MS,
    intervalMs: 100,
  });
  if (!ready || !child.isRunning()) {
    await child.stop();
    throw new Error(`restate-server did not come up. Its log ends:\n${logTail(dataDir, 'restate')}`);
  }
  return { ingressUrl, adminUrl, stop: () => child.stop() };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
