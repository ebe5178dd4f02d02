import { isTimeout, within } from '../time.ts';

/** Additional fields that a check may put into its line of the report. */
type CheckDetail = Record<string, string | number | boolean | null>;

/** Resolves when the dependency is usable, rejects when not; `signal` aborts at the timeout. */
export type Check = (signal: AbortSignal) => Promise<CheckDetail | undefined>;

interface CheckResult {
  ok: boolean;
  /** The reason: the error's code, `TIMEOUT`, or `FAILED`. Never a message: /readyz is public. */
  code?: string;
  detail?: CheckDetail;
}

interface ReadinessReport {
  ready: boolean;
  checks: Record<string, CheckResult>;
}

export type Readiness = () => Promise<ReadinessReport>;

export interface ReadinessOptions {
  /** For each check; default 2000. */
  timeoutMs?: number;
  /** Called for every failed check with the whole error. */
  onFailure?: (name: string, error: unknown) => void;
}

function failureCode(error: unknown): string {
  if (isTimeout(error)) return 'TIMEOUT';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'FAILED';
}

/**
 * Returns a function that runs all named checks concurrently, each with its timeout, and never rejects. Calls
 * during a run share its report, so that polling cannot pile up work on a slow dependency.
 */
export function createReadiness(checks: Record<string, Check>, options: ReadinessOptions = {}): Readiness {
  const { timeoutMs = 2_000, onFailure } = options;
  let running: Promise<ReadinessReport> | null = null;

  const runOne = async (name: string, check: Check): Promise<[string, CheckResult]> => {
    try {
      const detail = await within(timeoutMs, check);
      return [name, detail ? { ok: true, detail } : { ok: true }];
    } catch (error) {
      onFailure?.(name, error);
      return [name, { ok: false, code: failureCode(error) }];
    }
  };
  const runAll = async (): Promise<ReadinessReport> => {
    const results = await Promise.all(Object.entries(checks).map(([name, check]) => runOne(name, check)));
    return { ready: results.every(([, result]) => result.ok), checks: Object.fromEntries(results) };
  };
  return () => {
    running ??= runAll().finally(() => {
      running = null;
    });
    return running;
  };
}

/** As `readiness`, until the process begins to stop; from then on not ready, whatever the dependencies report. */
export function readyUntil(stopping: AbortSignal, readiness: Readiness): Readiness {
  const notReady: ReadinessReport = { ready: false, checks: { running: { ok: false, code: 'STOPPING' } } };
  return async () => (stopping.aborted ? notReady : readiness());
}
