import {
  addFault,
  changeSettings,
  clearFaults,
  type FaultRuleInput,
} from '../../../ops/simulator/control-client.ts';
import { ENTRY_OPTIONS } from '../../../src/queues/names.ts';
import { eventually } from '../eventually.ts';
import { jobReaches } from './listing.ts';
import { type AttemptRow, attemptsOf, type StagingWorld } from './staging-world.ts';

/** How to bring a job to each of its states and hold it there, by faults of the provider and the queue. */
interface Hold {
  job: string;
  /** The live attempt's status; null when there is none. */
  attempt: string | null;
  faults?: FaultRuleInput[];
  /** No prediction finishes by itself. */
  hold?: boolean;
  pauseQueue?: boolean;
  /** Conditions on the attempt besides its status. */
  settled?(attempt: AttemptRow): boolean;
}

const UNREADABLE_LIST: FaultRuleInput = { fault: 'body-not-json', times: 'always', options: { on: 'list' } };

const HOLDS = {
  'PENDING.QUEUED': { job: 'PENDING.QUEUED', attempt: null, pauseQueue: true },
  RESERVED: {
    job: 'PROCESSING.ATTEMPT',
    attempt: 'RESERVED',
    faults: [{ fault: 'throttle-header', times: 'always', options: { seconds: 3 } }],
    settled: ({ sendTries }) => sendTries > 0,
  },
  SENT: {
    job: 'PROCESSING.ATTEMPT',
    attempt: 'SENT',
    hold: true,
    faults: [{ fault: 'timeout-after-acceptance' }],
  },
  UNCONFIRMED: {
    job: 'PROCESSING.ATTEMPT',
    attempt: 'UNCONFIRMED',
    hold: true,
    faults: [{ fault: 'accept-then-reset' }, UNREADABLE_LIST],
  },
  RUNNING: { job: 'PROCESSING.ATTEMPT', attempt: 'RUNNING', hold: true },
  COLLECTING: { job: 'PROCESSING.ATTEMPT', attempt: 'COLLECTING', faults: [{ fault: 'output-slow-drip' }] },
  'RETRYING.BACKOFF': {
    job: 'RETRYING.BACKOFF',
    attempt: null,
    faults: [{ fault: 'failed', options: { error: 'busy (E003)' } }],
  },
} as const satisfies Record<string, Hold>;
export type HeldState = keyof typeof HOLDS;
export const HELD_STATES = Object.keys(HOLDS) as HeldState[];

/** Removes the cause that holds the job, but finishes no held prediction; `calm` does that. */
export async function letGo({ platform, queue }: StagingWorld, state: HeldState): Promise<void> {
  if (state === 'SENT') {
    // The hanging call ends with the provider's process.
    await platform.provider.crash();
    await platform.provider.start();
  }
  await clearFaults(platform.provider.baseUrl);
  await queue.resume();
}

export interface HeldJobUnderTest {
  aiJobId: string;
  originalImageId: string;
  predictionId: string | null;
}

/** A new job, brought to the state and held there. */
export async function jobHeldIn(world: StagingWorld, state: HeldState): Promise<HeldJobUnderTest> {
  const { job, attempt, faults = [], hold = false, pauseQueue = false, settled }: Hold = HOLDS[state];
  const { baseUrl } = world.platform.provider;
  if (pauseQueue) await world.queue.pause();
  if (hold) await changeSettings(baseUrl, { hold: true });
  for (const fault of faults) await addFault(baseUrl, fault);
  const made = await world.newJob();
  await jobReaches(world.platform, made.aiJobId, job);
  if (state === 'RETRYING.BACKOFF') await haveDelayedEntry(world, made.aiJobId);
  if (attempt === null) return { ...made, predictionId: null };
  const { id, providerPredictionId } = await attemptReachesWith(world, made.aiJobId, { attempt, settled });
  // The claim is committed before the call is made: the provider's process may end only once its ledger holds it.
  if (state === 'SENT')
    await eventually(async () => (await world.platform.purchases()).has(id), {
      what: 'the purchase in the ledger',
    });
  return { ...made, predictionId: providerPredictionId };
}

/** An entry for attempt 2 is lost when the first entry is still active; then this makes it. */
async function haveDelayedEntry({ queue }: StagingWorld, jobId: string): Promise<void> {
  await eventually(
    async () => {
      await queue.add('stage-room', { aiJobId: jobId }, { ...ENTRY_OPTIONS, jobId, delay: 30_000 });
      return (await queue.getJob(jobId))?.isDelayed();
    },
    { what: 'the delayed queue entry' },
  );
}

function attemptReachesWith(
  world: StagingWorld,
  jobId: string,
  { attempt, settled = () => true }: { attempt: string; settled: Hold['settled'] },
): Promise<AttemptRow> {
  return eventually(
    async () => {
      const [row] = await attemptsOf(world, jobId);
      if (row?.status === attempt && settled(row)) return row;
      throw new Error(`attempt is ${row?.status}`);
    },
    { what: `the attempt to be ${attempt}`, timeoutMs: 20_000 },
  );
}
