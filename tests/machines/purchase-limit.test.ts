import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Effect } from '../../machines/effects.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import {
  initialProviderAttempt,
  type ProviderAttemptContext,
  type ProviderAttemptEvent,
} from '../../machines/provider-attempt-model.ts';
import { PURCHASE_KIND_NAMES, PURCHASE_KINDS, type PurchaseKind } from '../../machines/purchase-kinds.ts';
import {
  initialJob,
  jobMachine,
  type StagingJobContext,
  type StagingJobEvent,
} from '../../machines/staging-job.ts';
import { type ActorState, isFinalState, step } from '../../machines/step.ts';
import { PROVIDER_ATTEMPT_EVENTS, STAGING_JOB_EVENTS } from '../support/machines/event-catalogues.ts';

/** With these events a claim is taken back. */
const TAKEN_BACK = new Set(['SEND_WITHDRAWN', 'CLAIM_DISPROVED']);

/** A job and its attempts as supervisors/actors/advance-job.ts wires them, without rows and leases. */
class Aggregate {
  job: ActorState<StagingJobContext>;
  attempts: ActorState<ProviderAttemptContext>[] = [];
  /** How often each attempt entered SENT without being withdrawn. */
  sends: number[] = [];
  results = 0;
  /** An operator has had the picture of the last attempt collected again. */
  collected = false;

  constructor(kind: PurchaseKind) {
    this.job = { state: 'PENDING.QUEUED', context: initialJob(kind) };
  }

  sendToJob(event: StagingJobEvent): void {
    const decided = step(jobMachine, this.job, event);
    if (decided.outcome === 'ignored') return;
    const isCollected = event.type === 'COLLECT_ASKED';
    expect(isFinalState(jobMachine, this.job.state)).toBe(isCollected);
    this.job = decided.next;
    for (const effect of decided.effects) this.#apply(effect);
  }

  sendToAttempt(index: number, event: ProviderAttemptEvent): void {
    const attempt = this.attempts[index];
    if (!attempt) return;
    const decided = step(providerAttemptMachine, attempt, event);
    if (decided.outcome === 'ignored') return;
    if (isFinalState(providerAttemptMachine, attempt.state) && event.type !== 'COLLECT_ASKED')
      expect(decided.next.state).toBe(attempt.state);
    if (decided.next.state === 'SENT' && attempt.state === 'RESERVED')
      this.sends[index] = (this.sends[index] ?? 0) + 1;
    // Nothing was sent, or a complete list has shown that it led to no purchase.
    if (TAKEN_BACK.has(event.type) && decided.next.state === 'RESERVED')
      this.sends[index] = (this.sends[index] ?? 0) - 1;
    this.attempts[index] = decided.next;
    for (const effect of decided.effects) this.#apply(effect);
  }

  get live(): number[] {
    return this.attempts.flatMap(({ state }, index) =>
      isFinalState(providerAttemptMachine, state) ? [] : [index],
    );
  }

  #apply(effect: Effect): void {
    if (effect.type === 'reserveAttempt') {
      const { attemptNumber } = effect.params;
      expect(attemptNumber).toBe(this.attempts.length + 1);
      expect(this.collected).toBe(false);
      this.attempts.push({ state: 'RESERVED', context: initialProviderAttempt(attemptNumber) });
    }
    if (effect.type === 'sendToAttempt') {
      const isCollected = effect.params.type === 'COLLECT_ASKED';
      this.collected ||= isCollected;
      const receivers = isCollected ? [this.attempts.length - 1] : this.live;
      for (const index of receivers) this.sendToAttempt(index, effect.params);
    }
    if (effect.type === 'sendToJob') this.sendToJob(effect.params);
    if (effect.type === 'insertStagedImage' || effect.type === 'storeText') this.results += 1;
  }
}

type Told =
  | { to: 'job'; event: StagingJobEvent }
  | { to: 'attempt'; index: number; event: ProviderAttemptEvent };
const throttled: ProviderAttemptEvent = {
  type: 'SEND_REFUSED',
  at: 1,
  errorCode: 'PROVIDER_THROTTLED',
  retryAfterMs: 100,
  jitter: 0,
};
const outcomesOfAttempts = /^ATTEMPT_/;
const EVERYTHING: Told[] = [
  // Outcomes of attempts come only from the attempts of the walk itself.
  ...STAGING_JOB_EVENTS.filter(({ type }) => !outcomesOfAttempts.test(type)).map(
    (event) => ({ to: 'job', event }) as const,
  ),
  ...[0, 1].flatMap((index) =>
    [...PROVIDER_ATTEMPT_EVENTS, throttled].map((event) => ({ to: 'attempt', index, event }) as const),
  ),
];
const ENDING = new Set(['CANCEL_ASKED', 'ORIGINAL_DELETED', 'LISTING_GONE', 'RUNNER_CRASHED']);
/** Each number picks the next event: in three of four cases one that changes something. */
const choices = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 10, maxLength: 60, size: 'max' });

/** Events that only the job sends to its attempt, and events that a runner sends only after a check. */
function isOutOfPlace({ job, live }: Aggregate, { to, event }: Told): boolean {
  if (event.type === 'ABANDONED') return true;
  // Its attempt ends as its job does; only the job passes it on.
  if (event.type === 'COLLECT_ASKED') return to === 'attempt';
  if (event.type === 'CANCEL') return job.state !== 'CANCEL_REQUESTED';
  return event.type === 'NOTHING_TO_CANCEL' && live.length > 0;
}

const isHeard = ({ job, attempts }: Aggregate, told: Told): boolean => {
  if (told.to === 'job') return step(jobMachine, job, told.event).outcome === 'applied';
  const attempt = attempts[told.index];
  return attempt !== undefined && step(providerAttemptMachine, attempt, told.event).outcome === 'applied';
};

function walk(kind: PurchaseKind, picks: readonly number[]): Aggregate {
  const aggregate = new Aggregate(kind);
  for (const pick of picks) {
    // End events are rare, or most walks would be short.
    const ends = pick % 32 < 2;
    const possible = EVERYTHING.filter(
      (one) => !isOutOfPlace(aggregate, one) && (ends || !ENDING.has(one.event.type)),
    );
    const heard = pick % 4 === 0 ? possible : possible.filter((one) => isHeard(aggregate, one));
    const one = heard[Math.floor(pick / 4) % heard.length];
    if (one?.to === 'job') aggregate.sendToJob(one.event);
    else if (one) aggregate.sendToAttempt(one.index, one.event);
    expectSound(aggregate);
  }
  return aggregate;
}

function expectSound({ job, attempts, live, results }: Aggregate): void {
  expect(attempts.length).toBeLessThanOrEqual(job.context.attemptsAllowed);
  expect(job.context.attemptCount).toBe(attempts.length);
  expect(live.length).toBeLessThanOrEqual(1);
  if (attempts.length === 2) expect(live).not.toContain(0);
  expect(results).toBe(job.state === 'SUCCESS' ? 1 : 0);
  expect(attempts.some(({ state }) => state === 'SUCCEEDED')).toBe(job.state === 'SUCCESS');
  if (isFinalState(jobMachine, job.state)) expect(live).toEqual([]);
  if (job.state.startsWith('PENDING')) expect(attempts).toEqual([]);
  if (job.state === 'PROCESSING.ATTEMPT') expect(live).toHaveLength(1);
  if (job.state === 'RETRYING.BACKOFF') expect([attempts.length, live.length]).toEqual([1, 0]);
}

/** Attempt 2 follows a retryable end of attempt 1 only; a restart alone never buys it. */
function expectPaidForOnce({ attempts, sends }: Aggregate): void {
  const [first, second] = attempts;
  if (first && second) {
    expect(['FAILED', 'LOST']).toContain(first.state);
    if (first.state === 'LOST') expect(first.context.unconfirmedCause).toBe('transport');
    expect(['PROVIDER_BILLING', 'RUNNER_CRASHED']).not.toContain(first.context.errorCode);
  }
  // An attempt goes back to RESERVED only when the provider is known not to have bought, so each send has its own
  // claim.
  expect(attempts.map((_, index) => sends[index] ?? 0)).toEqual(
    attempts.map(({ context }) => context.sendTries),
  );
}

test.each(PURCHASE_KIND_NAMES)(
  'whatever events a %s receives, in any order: no more purchases than its kind allows, one at a time, and one result',
  (kind) => {
    const { attempts } = PURCHASE_KINDS[kind];
    const seen = new Set<string>();
    fc.assert(
      fc.property(choices, (picks) => {
        const aggregate = walk(kind, picks);
        expectPaidForOnce(aggregate);
        seen.add([aggregate.job.state, ...aggregate.attempts.map(({ state }) => state)].join());
      }),
      { numRuns: 600 },
    );
    // The walks must have reached these ends.
    for (const end of ['SUCCESS,SUCCEEDED', 'CANCELED', 'FAILED,FAILED']) expect(seen).toContain(end);
    expect([...seen].some((end) => end.split(',').length === attempts + 1)).toBe(true);
  },
);
