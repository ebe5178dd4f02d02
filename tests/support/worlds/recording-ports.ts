import type { InTurn, JobQueue, JobQueues, Reporter, RuntimeCounter } from '../../../supervisors/ports.ts';

/** A reporter that records every report. */
export interface RecordingReporter extends Reporter {
  reports: { jobId: string; event: string; fields: Record<string, unknown> }[];
  alerts: { kind: string; id: string; alert: string; fields: Record<string, unknown> }[];
  transitions: { kind: string; event: string; outcome: string }[];
  counts: Partial<Record<RuntimeCounter, number>>;
  problems: { what: string; error: unknown; fields: Record<string, unknown> }[];
}

export function createRecordingReporter(): RecordingReporter {
  const reporter: RecordingReporter = {
    reports: [],
    alerts: [],
    transitions: [],
    counts: {},
    problems: [],
    report: (jobId, { event, fields }) => void reporter.reports.push({ jobId, event, fields }),
    alert: ({ kind, id }, { alert, fields }) => void reporter.alerts.push({ kind, id, alert, fields }),
    transition: (kind, event, outcome) => void reporter.transitions.push({ kind, event, outcome }),
    count(name, by = 1) {
      reporter.counts[name] = (reporter.counts[name] ?? 0) + by;
    },
    problem: (what, error, fields = {}) => void reporter.problems.push({ what, error, fields }),
  };
  return reporter;
}

/** For a worker that is alone: it is always its turn. */
export const everyTurn: InTurn = (_, work) => work({ prolong: async () => true });

/** A queue that only records; with `failing` every call rejects with that error. */
/** One queue for both kinds of jobs. */
export const bothQueues = (queue: JobQueue): JobQueues => ({ stagingJob: queue, descriptionJob: queue });

export interface RecordingQueue extends JobQueue {
  enqueued: { jobId: string; delayMs: number }[];
  removed: string[];
  pauses: number[];
  known: Set<string>;
  failing: Error | null;
}

export function createRecordingQueue(): RecordingQueue {
  const answer = () => {
    if (queue.failing) throw queue.failing;
  };
  const queue: RecordingQueue = {
    enqueued: [],
    removed: [],
    pauses: [],
    known: new Set(),
    failing: null,
    async enqueue(jobIds, { delayMs = 0 } = {}) {
      answer();
      for (const jobId of jobIds) {
        queue.enqueued.push({ jobId, delayMs });
        queue.known.add(jobId);
      }
    },
    async remove(jobId) {
      answer();
      queue.removed.push(jobId);
      queue.known.delete(jobId);
    },
    async missing(jobIds) {
      answer();
      return jobIds.filter((jobId) => !queue.known.has(jobId));
    },
    async pauseStarts(ms) {
      answer();
      queue.pauses.push(ms);
    },
  };
  return queue;
}
