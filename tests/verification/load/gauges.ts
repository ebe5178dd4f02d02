import { readFile } from 'node:fs/promises';
import { request } from 'undici';
import type { Installation, RunningRole } from './installation.ts';

/** One measurement of a process; `at` in ms since the run's start. */
export interface Reading {
  readonly at: number;
  readonly name: string;
  /** Resident memory, MB. A process that was killed and replaced counts as a new one. */
  readonly memoryMb: number;
  readonly pid: number;
  /** The 99th percentile of its event loop's delay so far, ms. */
  readonly loopDelayMs: number;
}

const PAGE_BYTES = 4_096;
const MEGABYTE = 2 ** 20;
const PATIENCE_MS = 5_000;

/** Measures every running process; one that does not answer, because it was just killed, is left out. */
export async function readGauges(installation: Installation, at: number): Promise<Reading[]> {
  const readings = [...installation.processes()].map(async ([name, role]) => {
    try {
      const [memoryMb, loopDelayMs] = await Promise.all([memoryOf(role.pid), loopDelayOf(role)]);
      return [{ at, name, pid: role.pid, memoryMb, loopDelayMs }];
    } catch {
      return [];
    }
  });
  return (await Promise.all(readings)).flat();
}

async function memoryOf(pid: number): Promise<number> {
  const [, resident] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return (Number(resident) * PAGE_BYTES) / MEGABYTE;
}

async function loopDelayOf({ opsUrl }: RunningRole): Promise<number> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { body } = await request(`${opsUrl}/metrics`, { signal });
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m.exec(await body.text())?.[1];
  if (seconds === undefined) throw new Error('no event-loop delay among the metrics');
  return Number(seconds) * 1_000;
}

/** Megabytes a minute by which memory grows, by least squares; 0 for fewer than three readings. */
export function memorySlope(readings: readonly Pick<Reading, 'at' | 'memoryMb'>[]): number {
  if (readings.length < 3) return 0;
  const minutes = readings.map(({ at }) => at / 60_000);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanTime, meanMemory] = [mean(minutes), mean(readings.map(({ memoryMb }) => memoryMb))];
  let [above, below] = [0, 0];
  for (const [place, { memoryMb }] of readings.entries()) {
    const away = (minutes[place] ?? 0) - meanTime;
    above += away * (memoryMb - meanMemory);
    below += away ** 2;
  }
  return below === 0 ? 0 : above / below;
}
