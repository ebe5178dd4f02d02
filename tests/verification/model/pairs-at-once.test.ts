import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { StagingJobEvent } from '../../../machines/staging-job.ts';
import type { AttemptMessage } from '../../../supervisors/actors/messages.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { expectInvariants } from './staging-rows.ts';
import { newLives, Walk } from './walk.ts';
import type { Act } from './walk-acts.ts';
import { openWalkWorld, type WalkWorld } from './walk-world.ts';

/**
 * Every pair of actions on a job or its picture at the same moment, in each relevant state: the result equals
 * that of one order of the two. An ignored lock, version or lease shows as rows and answers that neither
 * order explains.
 */
const ROUNDS = 2;
const LEASE = { owner: 'node-a', epoch: 1 };
let world: WalkWorld;
beforeAll(async () => {
  world = await openWalkWorld();
  world.clock.at = AT;
});
afterAll(() => world.host.stop());

type Step = (walk: Walk) => Act;
const jobIdOf = ({ model }: Walk) => model.jobs[0]?.id ?? '';
const attemptIdOf = ({ model }: Walk) => model.jobs[0]?.attempts[0]?.id ?? '';
const imageIdOf = ({ model }: Walk) => model.images[0]?.id ?? '';
const toJob =
  (event: () => StagingJobEvent): Step =>
  (walk) => ({ do: 'sendToJob', jobId: jobIdOf(walk), event: event(), by: LEASE });
const toAttempt =
  (event: (walk: Walk) => AttemptMessage): Step =>
  (walk) => ({
    do: 'sendToAttempt',
    jobId: jobIdOf(walk),
    attemptId: attemptIdOf(walk),
    event: event(walk),
    by: LEASE,
    asSeen: false,
  });

const submit =
  (agent: number): Step =>
  () => ({ do: 'submit', agent, style: 'MODERN', at: AT });
const cancel =
  (agent: number): Step =>
  (walk) => ({ do: 'cancel', agent, jobId: jobIdOf(walk), at: AT });
const review =
  (what: 'approve' | 'reject', agent: number): Step =>
  (walk) => ({
    do: what,
    agent,
    imageId: imageIdOf(walk),
    at: AT,
  });
const deleteOriginal =
  (agent: number): Step =>
  () => ({ do: 'deleteOriginal', agent, at: AT });
const takeLease: Step = (walk) => ({
  do: 'takeLease',
  jobId: jobIdOf(walk),
  worker: LEASE.owner,
  epoch: 0,
  at: AT,
});
const callBack =
  (what: string): Step =>
  (walk) => ({
    do: 'callBack',
    jobId: jobIdOf(walk),
    attemptId: attemptIdOf(walk),
    predictionId: `${attemptIdOf(walk)}-${what}`,
    status: 'processing',
    at: AT,
  });
const start = toJob(() => ({
  type: 'WORKER_STARTED',
  at: AT,
  enabled: true,
  attemptId: randomUUID(),
  queueAttempt: 1,
  waitedMs: 1,
}));
const claim = toAttempt(() => ({ type: 'SEND_CLAIMED', at: AT, token: randomUUID() }));
const created = toAttempt((walk) => ({
  type: 'PREDICTION_CREATED',
  at: AT,
  predictionId: `${attemptIdOf(walk)}-p`,
  providerStatus: 'starting',
}));
const succeeded = toAttempt((walk) => ({
  type: 'PREDICTION_SUCCEEDED',
  at: AT,
  providerStatus: 'succeeded',
  objectKey: `staged/${attemptIdOf(walk)}.jpg`,
}));
const output = { bytes: 9, width: 8, height: 8, format: 'jpeg', checksum: 'ef'.repeat(32) };
const stored = toAttempt(() => ({ type: 'OUTPUT_STORED', at: AT, jitter: 0, imageId: randomUUID(), output }));
const unknown = toAttempt(() => ({ type: 'SEND_UNKNOWN', at: AT, cause: 'transport' }));

const people = {
  submit: submit(0),
  'submit as well': submit(1),
  cancel: cancel(0),
  'delete the original': deleteOriginal(0),
};
const reviews = {
  approve: review('approve', 0),
  'approve as well': review('approve', 1),
  reject: review('reject', 1),
  'reject as well': review('reject', 0),
  'delete the original': deleteOriginal(0),
};
const waiting = [submit(0), takeLease];
const running = [...waiting, start, claim, created];
const pictured = [...running, succeeded, stored];
const SCENES: Record<string, { way: Step[]; acts: Record<string, Step> }> = {
  'nothing yet': {
    way: [],
    acts: { submit: submit(0), 'submit as well': submit(1), 'delete the original': deleteOriginal(1) },
  },
  'a job that waits': { way: waiting, acts: { ...people, start } },
  'a send on the wire': {
    way: [...waiting, start, claim],
    acts: { ...people, created, unknown, 'call back': callBack('p'), 'call back for another': callBack('q') },
  },
  'a prediction that runs': {
    way: running,
    acts: { ...people, succeeded, 'call back for another': callBack('q') },
  },
  'an output being fetched': { way: [...running, succeeded], acts: { ...people, stored } },
  'a picture to review': { way: pictured, acts: { ...reviews, submit: submit(0) } },
  'an approved picture': {
    way: [...pictured, review('approve', 0)],
    acts: { ...reviews, 'delete it as well': deleteOriginal(1) },
  },
};

describe.each(Object.entries(SCENES))('at once: %s', (_, { way, acts }) => {
  const named = Object.entries(acts);
  const pairs = named.flatMap(([one, first], index) =>
    named.slice(index + 1).map(([other, second]) => ({ one, other, first, second })),
  );
  test.each(pairs)('$one and $other', async ({ first, second }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const walk = await Walk.begin(world, newLives(), { isEmpty: false });
      for (const step of way) await walk.lead(step(walk));
      // The first call has a head start.
      const [one, other] = round % 2 === 0 ? [first, second] : [second, first];
      await walk.doAtOnce(one(walk), other(walk));
    }
  });
});

test('no invariant is broken', () => expectInvariants(world.host.pool, AT));
