import { readFileSync } from 'node:fs';

/**
 * The most memory that a process has had resident, in MB of 1,048,576 bytes, as Linux counts it. `maxRSS` of a process
 * is no measure: it begins with that of the process that started it.
 * @param pid default: this process
 */
export function peakMegabytes(pid: number | 'self' = 'self'): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
