import { type LocalPass, type RunnerCrash, runsAlone } from '../../machines/crashes.ts';
import type { LeaseStore, LocalPassMark } from '../../persistence/actors/actor-store.ts';
import type { LocalWorkGate } from '../concurrency/local-work-gate.ts';
import type { Reporter } from '../ports.ts';
import type { Origin } from './messages.ts';

/**
 * A pass of local work on a job, which may crash the process. Its name is written to the job's row before it begins and
 * cleared when it is over; a result that moves the attempt clears it too, in its own transaction. So the worker that
 * takes over a job after a crash knows whether the job may be the cause (`machines/crashes.ts`).
 */
export interface LocalWork {
  store: Pick<LeaseStore, 'markLocalPass' | 'clearLocalPass'>;
  localWork: LocalWorkGate;
  reporter: Reporter;
}
export interface LocalPassOf {
  jobId: string;
  /** Of what is worked on: a later version has had its result. */
  version: number;
  crashCount: number;
  origin: Origin;
  signal: AbortSignal;
}

/** The crash as an event; null when no pass was under way, or when its result was recorded. */
export function crashOf(
  { at, certain }: { at: number; certain: boolean },
  mark: LocalPassMark | null,
  { version }: { version: number | undefined },
): RunnerCrash | null {
  if (mark === null || mark.version !== version) return null;
  return { type: 'RUNNER_CRASHED', at, pass: mark.pass, alone: certain || mark.alone };
}

/** An error in a pass of local work: this job caused it. */
export class LocalPassError extends Error {
  override readonly name = 'LocalPassError';
}

/** Null, and nothing done, when the signal aborts before its turn or the lease is not the job's any more. */
export async function doLocally<T>(
  { store, localWork, reporter }: LocalWork,
  of: LocalPassOf & { pass: LocalPass },
  work: () => Promise<T>,
): Promise<T | null> {
  const { jobId, version, pass, signal, crashCount } = of;
  const { lease } = of.origin;
  if (!lease) throw new Error(`${pass} of job ${jobId} without a lease`);
  const alone = runsAlone({ crashCount });
  const leave = await localWork.enter({ alone, signal });
  if (leave === null) return null;
  try {
    if (!(await store.markLocalPass({ jobId, ...lease, pass, alone, version }))) return null;
    const result = await work().catch((error: unknown) => {
      throw signal.aborted ? error : new LocalPassError(`${pass} of job ${jobId} failed`, { cause: error });
    });
    await store
      .clearLocalPass({ jobId, ...lease })
      .catch((error) => reporter.problem('a pass could not be cleared; the next one will', error, { jobId }));
    return result;
  } finally {
    leave();
  }
}
