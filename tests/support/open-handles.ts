import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

/**
 * Sockets, servers and child processes that keep this process alive, one sentence each, except these processes. Idle keep-alive sockets of
 * `fetch` do not count: they are unreferenced and go by themselves.
 */
export function openHandles(except: readonly number[]): string[] {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): unknown[] };
  return _getActiveHandles
    .call(process)
    .filter(isReferenced)
    .filter((handle) => !(handle instanceof ChildProcess && except.includes(handle.pid ?? 0)))
    .map(describe)
    .filter((line) => line !== undefined);
}

function isReferenced(handle: unknown): boolean {
  const { _handle } = handle as { _handle?: { hasRef?(): boolean } | null };
  return _handle?.hasRef?.() ?? false;
}

function describe(handle: unknown): string | undefined {
  if (handle instanceof Socket && handle.remotePort !== undefined) {
    return `a connection to ${handle.remoteAddress}:${handle.remotePort} is open`;
  }
  if (handle instanceof Server) {
    const address = handle.address();
    return `a server listens on ${typeof address === 'object' ? address?.port : address}`;
  }
  if (handle instanceof ChildProcess) return `child process ${handle.pid} (${handle.spawnfile}) runs`;
  return undefined;
}
