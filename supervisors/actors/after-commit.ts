import type { EffectParams } from '../../machines/effects.ts';
import type { PurchaseKind } from '../../machines/purchase-kinds.ts';
import type { JobQueues, Nudges, Reporter } from '../ports.ts';

/**
 * What happens after the commit: reports, queue entries, nudges. All of them are hints; if the process dies here, no
 * state is lost and the sweepers repair the rest.
 */
export class AfterCommit {
  readonly #steps: ((ports: AfterCommitPorts) => void)[] = [];

  report(jobId: string, effect: EffectParams['report']): void {
    this.#steps.push(({ reporter }) => reporter.report(jobId, effect));
  }
  /** An attempt's reports name the attempt as well as its job. */
  reportAttempt(
    { id, jobId }: { id: string; jobId: string },
    { event, fields }: EffectParams['report'],
  ): void {
    this.report(jobId, { event, fields: { providerAttemptId: id, ...fields } });
  }
  alert(subject: { kind: string; id: string }, effect: EffectParams['alert']): void {
    this.#steps.push(({ reporter }) => reporter.alert(subject, effect));
  }
  transition(kind: string, event: string, outcome: 'applied' | 'ignored' | 'stale' | 'limited'): void {
    this.#steps.push(({ reporter }) => reporter.transition(kind, event, outcome));
  }
  nudge(jobId: string): void {
    this.#steps.push(({ nudges }) => nudges.publish(jobId));
  }
  enqueue({ kind, id: jobId }: JobName, delayMs: number): void {
    this.#steps.push(({ queues, reporter }) => {
      queues[kind]
        .enqueue([jobId], { delayMs })
        .catch((error) =>
          reporter.problem('queue entry could not be made; the dispatcher will', error, { jobId }),
        );
    });
  }
  dequeue({ kind, id: jobId }: JobName): void {
    this.#steps.push(({ queues, reporter }) => {
      queues[kind]
        .remove(jobId)
        .catch((error) =>
          reporter.problem('queue entry could not be removed; it will be ignored', error, { jobId }),
        );
    });
  }
  run(ports: AfterCommitPorts): void {
    for (const step of this.#steps) step(ports);
  }
}

interface AfterCommitPorts {
  reporter: Reporter;
  nudges: Nudges;
  queues: JobQueues;
}
interface JobName {
  kind: PurchaseKind;
  id: string;
}
