import type { RunnerCrash } from '../../machines/crashes.ts';
import type { LocalPassMark } from '../../persistence/actors/rows/job-row.ts';

/**
 * The crash as an event, from the mark that a pass of local work leaves in the job's row
 * (`supervisors/activities/local-pass.ts`); null when no pass was under way, or when its result was recorded.
 */
export function crashOf(
  { at, certain }: { at: number; certain: boolean },
  mark: LocalPassMark | null,
  { version }: { version: number | undefined },
): RunnerCrash | null {
  if (mark === null || mark.version !== version) return null;
  return { type: 'RUNNER_CRASHED', at, pass: mark.pass, alone: certain || mark.alone };
}
