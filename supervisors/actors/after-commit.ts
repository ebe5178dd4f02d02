import type { EffectParams } from '../../machines/effects.ts';
import type { Nudges, Reporter, StagingQueue } from '../ports.ts';

/**
 * What is done once the transaction has committed: reports, queue entries, nudges. All of it is a hint; a
 * process that dies here loses none of the truth, the sweepers repair the rest.
 */
export class AfterCommit {
  readonly #steps: ((ports: AfterCommitPorts) => void)[] = [];

  report(jobId: string, effect: EffectParams['report']): void {
    this.#steps.push(({ reporter }) => reporter.report(jobId, effect));
  }
  /** What an attempt reports names the attempt as well as its job. */
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
  enqueue(jobId: string, delayMs: number): void {
    this.#steps.push(({ queue, reporter }) => {
      queue
        .enqueue([jobId], { delayMs })
        .catch((error) =>
          reporter.problem('queue entry could not be made; the dispatcher will', error, { jobId }),
        );
    });
  }
  dequeue(jobId: string): void {
    this.#steps.push(({ queue, reporter }) => {
      queue
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
  queue: StagingQueue;
}
