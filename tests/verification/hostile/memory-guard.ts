import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What a process holds, in MB. */
interface Memory {
  readonly memoryMb: number;
  /** The maximum since the guard began. */
  readonly mostMb: number;
  /** The maximum of a single child process. */
  readonly childMb: number;
  /** How it ended, if it has: by itself, or killed above the limit. */
  readonly fate?: 'gone' | 'killed';
}

export interface MemoryGuard {
  last(): Memory;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./memory-guard-run.ts', import.meta.url));

/**
 * A hard memory limit that works wherever the tests run. Containers seldom allow memory cgroups, and a limit
 * of address space (`prlimit --as`) stops Node, which reserves far more than it uses. So another process
 * checks every 20 ms and sends SIGKILL, as the kernel would.
 */
export function guardMemory(pid: number, limitMb: number): MemoryGuard {
  const child = spawn(process.execPath, [PROGRAM, String(pid), String(limitMb)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let last: Memory = { memoryMb: 0, mostMb: 0, childMb: 0 };
  createInterface(child.stdout).on('line', (line) => {
    last = JSON.parse(line) as Memory;
  });
  return {
    last: () => last,
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}
