import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job } from 'bullmq';
import { isUuid } from '../../persistence/console/search.ts';

/**
 * A read-only queue for operators that shows only the ids of an entry. Our entries contain nothing else; entries of
 * older releases, and their failure messages, may contain any data.
 */
export class IdsOnlyAdapter extends BullMQAdapter {
  constructor(queue: ConstructorParameters<typeof BullMQAdapter>[0], description: string) {
    super(queue, { readOnlyMode: true, allowRetries: false, description });
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    return job && idsOnly(job);
  }

  override async getJobs(...range: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    return (await super.getJobs(...range)).map(idsOnly);
  }

  override async getJobSchedulers(): ReturnType<BullMQAdapter['getJobSchedulers']> {
    return (await super.getJobSchedulers()).map(({ template: _, ...scheduler }) => scheduler);
  }

  /** Our code writes no job logs; logs of other writers may contain any data. */
  override async getJobLogs(): Promise<string[]> {
    return [];
  }

  /** Our entries have no parents or children; trees would be read without this adapter. */
  override async getFlowProducer(): Promise<null> {
    return null;
  }
}

/** One plain sentence: it cannot match a URL or a mail address. */
const PLAIN_SENTENCE = /^[\w .,:;'"()<>=-]{1,160}$/;
const MAX_NAME = 64;

type EntryJson = ReturnType<Job['toJSON']>;

function idsOnly(job: Job): Job {
  return Object.assign(Object.create(job) as Job, { toJSON: () => shown(job.toJSON()) });
}

function shown(entry: EntryJson): EntryJson {
  const { attempts, delay, priority } = entry.opts;
  return {
    ...entry,
    name: entry.name.slice(0, MAX_NAME),
    data: idsOf(entry.data),
    opts: { attempts, delay, priority } as EntryJson['opts'],
    progress: 0,
    returnvalue: null,
    stacktrace: [],
    failedReason: reasonOf(entry.failedReason),
    deferredFailure: '',
    deduplicationId: undefined,
  } as EntryJson;
}

/** The top-level fields that are ids, and the number of the others. */
function idsOf(data: unknown): Record<string, unknown> {
  if (typeof data !== 'object' || data === null) return {};
  const fields = Object.entries(data);
  const ids = fields.filter(([, value]) => typeof value === 'string' && isUuid(value));
  const hidden = fields.length - ids.length;
  return { ...Object.fromEntries(ids), ...(hidden > 0 ? { fieldsNotShown: hidden } : {}) };
}

function reasonOf(reason: string | undefined): string {
  if (!reason || PLAIN_SENTENCE.test(reason)) return reason ?? '';
  return 'not shown: it may hold more than ids';
}
