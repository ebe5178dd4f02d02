import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

/** What keeps this process alive. */
export interface OpenHandle {
  /** One sentence. */
  what: string;
  /** Ends it, whatever it is doing. */
  end(): void;
}

/**
 * Sockets, servers and child processes that keep this process alive, except these processes. Idle keep-alive sockets of
 * `fetch` do not count: they are unreferenced and go by themselves.
 */
export function openHandles(except: readonly number[]): OpenHandle[] {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): unknown[] };
  return _getActiveHandles
    .call(process)
    .filter(isReferenced)
    .filter((handle) => !(handle instanceof ChildProcess && except.includes(handle.pid ?? 0)))
    .map(describe)
    .filter((handle) => handle !== undefined);
}

function isReferenced(handle: unknown): boolean {
  const { _handle } = handle as { _handle?: { hasRef?(): boolean } | null };
  return _handle?.hasRef?.() ?? false;
}

function describe(handle: unknown): OpenHandle | undefined {
  if (handle instanceof Socket && handle.remotePort !== undefined) {
    return {
      what: `a connection to ${handle.remoteAddress}:${handle.remotePort} is open`,
      end: () => void handle.destroy(),
    };
  }
  if (handle instanceof Server) {
    const address = handle.address();
    return {
      what: `a server listens on ${typeof address === 'object' ? address?.port : address}`,
      end: () => void handle.close(),
    };
  }
  if (handle instanceof ChildProcess) {
    return {
      what: `child process ${handle.pid} (${handle.spawnfile}) runs`,
      end: () => void handle.kill('SIGKILL'),
    };
  }
  return undefined;
}
