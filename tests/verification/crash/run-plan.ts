import { CANONICAL_STYLES, type CanonicalStyle } from '../../../machines/vocabulary.ts';
import type { FaultRuleInput } from '../../../ops/simulator/control-client.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { type PointName, WORKER_POINTS } from './named-points.ts';

/**
 * The faults of a run, drawn from its seed. Each of `jobFaults` happens when its job reaches the point. Each
 * of `processFaults`, in order, hits the first process at its point. `outages` follow one another as jobs
 * end. A seed always gives the same plan; which process is hit depends on the race.
 */
export interface CrashPlan {
  readonly seed: number;
  readonly rooms: readonly PlannedRoom[];
  readonly processFaults: ProcessFault[];
  readonly outages: readonly Outage[];
  readonly random: Random;
}
export interface PlannedRoom {
  readonly wishes: readonly Wish[];
}
export interface Wish {
  readonly style: CanonicalStyle;
  readonly jobFault: JobFault | null;
  /** Submitted twice at once. */
  readonly twice: boolean;
  readonly review: Review | null;
}
export type Review = (typeof REVIEWS)[number];
export type JobFault =
  | {
      do: 'cancel' | 'delete the original' | 'add another variant' | 'poison' | 'deliver again';
      at: PointName;
    }
  | { do: 'provider fault'; at: 'before-post'; faults: readonly FaultRuleInput[]; cancel?: boolean };

/** What agents decide about a result, in this order; the last two approve it first. */
const REVIEWS = ['approve', 'reject', 'approve and reject at once', 'withdraw', 'withdraw and lift'] as const;

const HOWS = ['kill', 'stop', 'block', 'terminate'] as const;
export interface ProcessFault {
  readonly how: (typeof HOWS)[number];
  readonly at: PointName;
}

const OUTAGES = [
  'back ends terminated',
  'postgres immediate restart',
  'flush',
  'redis killed',
  'storage unavailable',
  'storage denied',
  'storage slow',
  'put acknowledged and lost',
  'delete acknowledged and lost',
  'provider killed',
  'web killed',
  'web and worker restarted',
] as const;
export type Outage = (typeof OUTAGES)[number];

const fault = (name: FaultRuleInput['fault'], options: Record<string, unknown> = {}): JobFault => ({
  do: 'provider fault',
  at: 'before-post',
  faults: [{ fault: name, options }],
});
const cancel = (at: PointName): JobFault => ({ do: 'cancel', at });

/** Once each: a scan that failed is repeated after seconds and then a minute, and until one succeeds slots are held. */
const UNREADABLE_LIST: FaultRuleInput = { fault: 'body-not-json', options: { on: 'list' } };

/** Faults of a run of any size; most are needed for the coverage goals. */
const ALWAYS: readonly JobFault[] = [
  cancel('before-post'),
  cancel('before-post'),
  cancel('before-claim'),
  cancel('after-id-stored'),
  cancel('before-put'),
  cancel('before-put'),
  cancel('before-put'),
  cancel('before-reserve'),
  ...Array<JobFault>(3).fill({ do: 'add another variant', at: 'after-put' }),
  ...Array<JobFault>(2).fill({ do: 'poison', at: 'before-claim' }),
  ...Array<JobFault>(3).fill({ do: 'deliver again', at: 'before-download' }),
  ...Array<JobFault>(3).fill(fault('failed', { error: 'busy (E003)' })),
  ...Array<JobFault>(4).fill({
    do: 'provider fault',
    at: 'before-post',
    faults: [{ fault: 'accept-then-reset' }, UNREADABLE_LIST],
  }),
  ...Array<JobFault>(3).fill({
    do: 'provider fault',
    at: 'before-post',
    faults: [{ fault: 'accept-then-reset' }, { fault: 'webhook-never' }],
  }),
  ...Array<JobFault>(3).fill(fault('webhook-duplicated')),
];

/** The provider's other faults; a small run leaves a few out. */
const SOMETIMES: readonly JobFault[] = [
  fault('error-after-charging'),
  fault('error-after-charging', { status: 504 }),
  fault('refuse-503'),
  fault('throttle-header', { seconds: 1 }),
  fault('throttle-body', { seconds: 1 }),
  fault('throttle-text', { seconds: 1 }),
  fault('unauthorized'),
  fault('billing'),
  fault('invalid-input'),
  fault('aborted'),
  fault('canceled-unasked'),
  fault('failed'),
  fault('unknown-status'),
  fault('webhook-out-of-order'),
  fault('webhook-before-answer'),
  fault('webhook-never'),
  fault('webhook-forged', { genuineToo: true }),
  fault('webhook-replayed', { genuineToo: true }),
  fault('output-gone', { removed: true }),
  fault('output-gone', { downloads: 2 }),
  fault('output-huge'),
  fault('output-wrong-type'),
  fault('output-wrong-aspect'),
  fault('output-truncated'),
  fault('output-truncated', { reset: true, downloads: 1 }),
  fault('output-bomb'),
  fault('output-redirect', { to: 'http://127.0.0.2:9/', downloads: 2 }),
  fault('output-data-uri'),
  fault('output-empty-array'),
  fault('output-string'),
  fault('body-nul'),
  fault('body-10mb'),
  fault('body-not-json'),
  fault('poll-5xx'),
  fault('poll-5xx', { status: 404 }),
  fault('list-5xx'),
  fault('list-truncated'),
  { do: 'provider fault', at: 'before-post', faults: [{ fault: 'never-finishes' }], cancel: true },
  { do: 'provider fault', at: 'before-post', faults: [{ fault: 'finishes-after-cancel' }], cancel: true },
  { do: 'provider fault', at: 'before-post', faults: [{ fault: 'cancel-error' }], cancel: true },
];

/** The states in which an original is deleted under its jobs. */
const DELETIONS: readonly PointName[] = ['before-claim', 'before-post', 'after-id-stored', 'before-put'];
const STOPS: readonly PointName[] = [
  'before-claim',
  'before-id-stored',
  'after-put',
  'after-put',
  'before-download',
];
const BLOCKS: readonly PointName[] = ['before-claim', 'before-download'];
const TERMS: readonly PointName[] = ['after-claim', 'after-post', 'before-download', 'after-put'];
const STYLES_A_ROOM = 5;

/** All faults of the provider in this run. */
export const PROVIDER_FAULTS: readonly FaultRuleInput[] = [...ALWAYS, ...SOMETIMES].flatMap((jobFault) =>
  jobFault.do === 'provider fault' ? jobFault.faults : [],
);

export function planRun({ seed, jobs }: { seed: number; jobs: number }): CrashPlan {
  const random = createRandom(seed, 'crash campaign');
  const doomedRooms = DELETIONS.length;
  const ordinary = jobs - doomedRooms * STYLES_A_ROOM;
  if (ordinary < ALWAYS.length)
    throw new RangeError(`a run has at least ${ALWAYS.length + doomedRooms * STYLES_A_ROOM} jobs`);
  const chosen = [...ALWAYS, ...shuffled(random, SOMETIMES)].slice(0, ordinary);
  // Attempt 2 waits half a minute, so its causes are in the first two thirds.
  const early = shuffled(random, [
    ...chosen,
    ...Array(Math.max(0, Math.floor(ordinary * 0.66) - chosen.length)).fill(null),
  ]);
  const jobFaults: (JobFault | null)[] = [
    ...early,
    ...Array(Math.max(0, ordinary - early.length)).fill(null),
  ];
  const wish = (index: number, jobFault: JobFault | null): Wish => ({
    style: CANONICAL_STYLES[index % STYLES_A_ROOM] ?? 'MODERN',
    jobFault,
    twice: random.chance(0.15),
    review: random.pick([...REVIEWS, null]),
  });
  const rooms: PlannedRoom[] = [];
  for (let from = 0; from < ordinary; from += STYLES_A_ROOM)
    rooms.push({
      wishes: jobFaults.slice(from, from + STYLES_A_ROOM).map((jobFault, index) => wish(index, jobFault)),
    });
  for (const at of DELETIONS) {
    const wishes = Array.from({ length: STYLES_A_ROOM }, (_, index) =>
      wish(index, index === 0 ? { do: 'delete the original', at } : null),
    );
    rooms.splice(random.between(1, rooms.length), 0, { wishes });
  }
  const processFaults: ProcessFault[] = [
    ...WORKER_POINTS.map((at): ProcessFault => ({ how: 'kill', at })),
    ...STOPS.map((at): ProcessFault => ({ how: 'stop', at })),
    ...BLOCKS.map((at): ProcessFault => ({ how: 'block', at })),
    ...TERMS.map((at): ProcessFault => ({ how: 'terminate', at })),
  ];
  return {
    seed,
    rooms,
    random,
    processFaults: shuffled(random, processFaults),
    outages: shuffled(random, OUTAGES),
  };
}

function shuffled<T>(random: Random, things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ thing }) => thing);
}
