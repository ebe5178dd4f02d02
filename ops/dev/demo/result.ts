import type { DemoJob, Refused } from './job.ts';
import type { Check } from './outcome.ts';

/** What a run came to, as the contact sheets and `result.json` tell it. */
export interface RunResult {
  /** When it was submitted, ms since the epoch. */
  startedAt: number;
  crashed: boolean;
  jobs: readonly DemoJob[];
  refused: readonly Refused[];
  checks: readonly Check[];
  ledgerSummary: { attempts: number; purchases: number };
  /** The books in a sentence. */
  ledgerText: string;
}
