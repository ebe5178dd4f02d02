import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MANUAL_EPOCH } from '../../manual-time.ts';
import { createAttempt, moveAttempt, moveJob, type StoreUnderTest } from '../store-under-test.ts';

const AT = MANUAL_EPOCH;
const TTL = 15_000;
const NONE = { renewed: [], locked: [] };
const RUNNING = { state: 'PROCESSING.ATTEMPT' };

/** The contract of every `LeaseStore`, a part of the contract of an actor store. */
export function leaseConformance(subject: () => StoreUnderTest): void {
  const acquire = (jobId: string, { owner = 'a', at = AT } = {}) =>
    subject().store.acquireLease({ jobId, owner, at, ttlMs: TTL });
  const leaseOf = async (jobId: string) => (await subject().store.readJob(jobId))?.job.lease;
  const sorted = (...ids: string[]) => ids.toSorted();

  describe('a lease', () => {
    test('is taken when it is free, and its epoch only grows', async () => {
      const jobId = await subject().job();
      expect(await acquire(jobId)).toEqual({
        jobId,
        lease: { owner: 'a', epoch: 1, expiresAt: AT + TTL },
        abandonedBy: null,
        interrupted: false,
        failures: 0,
        seen: await subject().store.readJob(jobId),
      });
      expect(await leaseOf(jobId)).toEqual({ owner: 'a', epoch: 1, expiresAt: AT + TTL });
      await subject().store.releaseLease({ jobId, owner: 'a', epoch: 1 });
      expect(await leaseOf(jobId)).toBeNull();
      expect((await subject().store.readJob(jobId))?.job.leaseEpoch).toBe(1);
      expect(await acquire(jobId, { owner: 'b' })).toMatchObject({
        lease: { owner: 'b', epoch: 2 },
        abandonedBy: null,
      });
    });

    test('that is held is refused to every worker, its owner included, until it has expired', async () => {
      const jobId = await subject().job();
      await acquire(jobId);
      expect(await acquire(jobId)).toBeNull();
      expect(await acquire(jobId, { owner: 'b', at: AT + TTL - 1 })).toBeNull();
      expect(await acquire(jobId, { owner: 'b', at: AT + TTL })).toEqual({
        jobId,
        lease: { owner: 'b', epoch: 2, expiresAt: AT + 2 * TTL },
        abandonedBy: 'a',
        interrupted: false,
        failures: 0,
        seen: await subject().store.readJob(jobId),
      });
    });

    test('comes with the job as it is under the lease, its attempts included', async () => {
      const { store } = subject();
      const [waiting, running] = [await subject().job(), await subject().job()];
      const attempt = { attemptId: randomUUID(), attemptNumber: 1, at: AT } as const;
      await store.transaction((tx) => createAttempt(tx, running, attempt));
      await moveJob(store, running, RUNNING);
      for (const jobId of [waiting, running])
        expect((await acquire(jobId, { at: AT + 1 }))?.seen).toEqual(await store.readJob(jobId));
      expect((await store.readJob(running))?.attempts).toHaveLength(1);
      for (const { jobId, seen } of await store.acquireLeases({
        jobIds: [waiting, running],
        owner: 'b',
        at: AT + 2 * TTL,
        ttlMs: TTL,
      }))
        expect(seen).toEqual(await store.readJob(jobId));
    });

    test('requested twenty times at once is given once', async () => {
      const jobId = await subject().job();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => acquire(jobId, { owner: `node-${n}` })),
      );
      expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    });

    test('is not given for a finished, quarantined or unknown job', async () => {
      const { store } = subject();
      for (const state of ['SUCCESS', 'FAILED', 'CANCELED']) {
        const jobId = await subject().job();
        await moveJob(store, jobId, { state });
        expect(await acquire(jobId)).toBeNull();
      }
      const aside = await subject().job();
      await store.quarantine({ jobId: aside, at: AT, error: 'poison' });
      expect(await acquire(aside)).toBeNull();
      expect(await acquire(randomUUID())).toBeNull();
    });

    test('is taken with many others where it is free, and a locked row is left out', async () => {
      const { store } = subject();
      const [free, abandoned, held, over, busy] = [
        await subject().job(),
        await subject().job(),
        await subject().job(),
        await subject().job(),
        await subject().job(),
      ] as [string, string, string, string, string];
      await acquire(abandoned);
      await store.markLocalPass({
        jobId: abandoned,
        owner: 'a',
        epoch: 1,
        pass: 'check-text',
        alone: false,
        version: 0,
      });
      await store.noteFailure({ jobId: abandoned, owner: 'a', epoch: 1 });
      await acquire(held, { owner: 'c', at: AT + 1 });
      await moveJob(store, over, { state: 'FAILED' });
      const at = AT + TTL;
      const jobIds = [free, abandoned, held, over, busy, randomUUID()];
      const taken = await store.transaction(async (tx) => {
        await tx.lockJob(busy);
        return store.acquireLeases({ jobIds, owner: 'b', at, ttlMs: TTL });
      });
      const lease = { owner: 'b', expiresAt: at + TTL };
      const expected = [
        { jobId: free, lease: { ...lease, epoch: 1 }, abandonedBy: null, interrupted: false, failures: 0 },
        { jobId: abandoned, lease: { ...lease, epoch: 2 }, abandonedBy: 'a', interrupted: true, failures: 1 },
      ];
      for (const one of expected) Object.assign(one, { seen: await store.readJob(one.jobId) });
      expect(taken).toHaveLength(2);
      expect(taken).toEqual(expect.arrayContaining(expected));
      expect(await leaseOf(abandoned)).toEqual({ ...lease, epoch: 2 });
      expect(await leaseOf(held)).toMatchObject({ owner: 'c', epoch: 1 });
      expect(await leaseOf(busy)).toBeNull();
      expect(await store.acquireLeases({ jobIds: [], owner: 'b', at, ttlMs: TTL })).toEqual([]);
    });

    test('taken by two workers for the same jobs at once is given once', async () => {
      const jobIds = [await subject().job(), await subject().job(), await subject().job()];
      const answers = await Promise.all(
        ['a', 'b'].map((owner) =>
          subject().store.acquireLeases({
            jobIds: owner === 'a' ? jobIds : jobIds.toReversed(),
            owner,
            at: AT,
            ttlMs: TTL,
          }),
        ),
      );
      const given = answers.flat().map(({ jobId }) => jobId);
      expect(new Set(given).size).toBe(given.length);
    });

    test('is renewed only by its owner under its epoch', async () => {
      const { store } = subject();
      const [mine, older, others, free] = [
        await subject().job(),
        await subject().job(),
        await subject().job(),
        await subject().job(),
      ] as [string, string, string, string];
      await acquire(mine);
      await acquire(older);
      await acquire(older, { at: AT + TTL });
      await acquire(others, { owner: 'b' });
      const at = AT + 5_000;
      const leases = [mine, older, others, free, randomUUID()].map((jobId) => ({ jobId, epoch: 1 }));
      expect(await store.renewLeases({ leases, owner: 'a', at, ttlMs: TTL })).toEqual({
        renewed: [mine],
        locked: [],
      });
      expect(await leaseOf(mine)).toEqual({ owner: 'a', epoch: 1, expiresAt: at + TTL });
      expect((await store.readJob(mine))?.job.heartbeatAt).toBe(at);
      expect(await leaseOf(others)).toMatchObject({ expiresAt: AT + TTL });
      expect(await leaseOf(free)).toBeNull();
      expect(await store.renewLeases({ leases: [], owner: 'a', at, ttlMs: TTL })).toEqual(NONE);
    });

    test('whose row is locked is not renewed, not lost, and does not delay the others', async () => {
      const { store } = subject();
      const [busy, free, stolen] = [await subject().job(), await subject().job(), await subject().job()];
      for (const jobId of [busy, free]) await acquire(jobId);
      await acquire(stolen, { owner: 'b' });
      const at = AT + 5_000;
      const leases = [busy, free, stolen].map((jobId) => ({ jobId, epoch: 1 }));
      await store.transaction(async (tx) => {
        await tx.lockJob(busy);
        const answer = await store.renewLeases({ leases, owner: 'a', at, ttlMs: TTL });
        expect(answer).toEqual({ renewed: [free], locked: [busy] });
      });
      expect(await leaseOf(busy)).toMatchObject({ epoch: 1, expiresAt: AT + TTL });
      expect(await leaseOf(free)).toMatchObject({ epoch: 1, expiresAt: at + TTL });
      const later = await store.renewLeases({ leases, owner: 'a', at, ttlMs: TTL });
      expect([later.renewed.toSorted(), later.locked]).toEqual([sorted(busy, free), []]);
    });

    test('is not shortened by an earlier renewal that arrives late', async () => {
      const { store } = subject();
      const jobId = await subject().job();
      await acquire(jobId);
      const leases = [{ jobId, epoch: 1 }];
      await store.renewLeases({ leases, owner: 'a', at: AT + 10_000, ttlMs: TTL });
      await store.renewLeases({ leases, owner: 'a', at: AT + 5_000, ttlMs: TTL });
      expect(await leaseOf(jobId)).toMatchObject({ expiresAt: AT + 10_000 + TTL });
    });

    test('that expired but was not taken may still be renewed', async () => {
      const jobId = await subject().job();
      await acquire(jobId);
      const at = AT + TTL + 1;
      const renewed = await subject().store.renewLeases({
        leases: [{ jobId, epoch: 1 }],
        owner: 'a',
        at,
        ttlMs: TTL,
      });
      expect(renewed).toEqual({ renewed: [jobId], locked: [] });
      expect(await acquire(jobId, { owner: 'b', at })).toBeNull();
    });

    test('is not given back by a late owner', async () => {
      const { store } = subject();
      const jobId = await subject().job();
      await acquire(jobId);
      await acquire(jobId, { owner: 'b', at: AT + TTL });
      await store.releaseLease({ jobId, owner: 'a', epoch: 1 });
      await store.releaseLease({ jobId, owner: 'b', epoch: 1 });
      await store.releaseLease({ jobId, owner: 'a', epoch: 2 });
      expect(await leaseOf(jobId)).toMatchObject({ owner: 'b', epoch: 2 });
    });

    test('returns at a takeover the unfinished pass, if there is one', async () => {
      const { store } = subject();
      const mark = { pass: 'collect-output', alone: true, version: 4 } as const;
      const marked = async (
        end: (lease: { jobId: string; owner: string; epoch: number }) => Promise<unknown>,
      ) => {
        const jobId = await subject().job();
        const lease = { jobId, owner: 'a', epoch: 1 };
        await acquire(jobId);
        expect(await store.markLocalPass({ ...lease, ...mark })).toBe(true);
        expect((await store.readJob(jobId))?.job.localPass).toEqual(mark);
        await end(lease);
        return (await acquire(jobId, { owner: 'b', at: AT + TTL }))?.interrupted;
      };
      expect(await marked(async () => {})).toBe(true);
      expect(await marked((lease) => store.clearLocalPass(lease))).toBe(false);
      expect(await marked((lease) => store.clearLocalPass({ ...lease, epoch: 7 }))).toBe(true);
      expect(await marked((lease) => store.releaseLease(lease))).toBe(false);
      expect(await marked(({ jobId }) => moveJob(store, jobId, RUNNING))).toBe(false);
    });

    test('is required to mark a pass and to count failures', async () => {
      const { store } = subject();
      const jobId = await subject().job();
      await acquire(jobId);
      const [mine, late] = [
        { jobId, owner: 'a', epoch: 1 },
        { jobId, owner: 'a', epoch: 0 },
      ];
      const mark = { pass: 'prepare-input', alone: false, version: 0 } as const;
      expect(await store.markLocalPass({ ...late, ...mark })).toBe(false);
      expect((await store.readJob(jobId))?.job.localPass).toBeNull();
      expect([
        await store.noteFailure(mine),
        await store.noteFailure(late),
        await store.noteFailure(mine),
      ]).toEqual([1, 0, 2]);
      await store.releaseLease(mine);
      expect((await acquire(jobId))?.failures).toBe(2);
      await store.forgetFailures({ ...mine, epoch: 2 });
      await store.releaseLease({ ...mine, epoch: 2 });
      expect((await acquire(jobId))?.failures).toBe(0);
    });

    test('ends with the job, and cannot be renewed then', async () => {
      const { store } = subject();
      for (const state of ['SUCCESS', 'FAILED', 'CANCELED']) {
        const jobId = await subject().job();
        await acquire(jobId);
        await moveJob(store, jobId, { state });
        expect(await leaseOf(jobId)).toBeNull();
        const leases = [{ jobId, epoch: 1 }];
        expect(await store.renewLeases({ leases, owner: 'a', at: AT + 1, ttlMs: TTL })).toEqual(NONE);
        expect(await leaseOf(jobId)).toBeNull();
      }
    });

    test('is kept by an ordinary transition', async () => {
      const jobId = await subject().job();
      await acquire(jobId);
      await moveJob(subject().store, jobId, RUNNING);
      expect(await leaseOf(jobId)).toMatchObject({ owner: 'a', epoch: 1 });
    });
  });

  describe('the queries of sweepers', () => {
    const due = (
      options: {
        at?: number;
        enabled?: boolean;
        createdBefore?: number;
        afterId?: string | null;
        limit?: number;
      } = {},
    ) =>
      subject().store.dueJobs({
        afterId: null,
        limit: 100,
        at: AT,
        enabled: true,
        createdBefore: AT,
        ...options,
      });
    const orphaned = (options: { at?: number; enabled?: boolean; limit?: number } = {}) =>
      subject().store.orphanedJobs({ limit: 100, at: AT, enabled: true, ...options });

    test('due jobs: waiting ones, and back-offs that have passed', async () => {
      const { store } = subject();
      const queued = await subject().job();
      const disabled = await subject().job();
      await moveJob(store, disabled, { state: 'PENDING.PROVIDER_DISABLED' });
      const young = await subject().job({ createdAt: AT + 1 });
      const backingOff = await subject().job();
      await moveJob(store, backingOff, { state: 'RETRYING.BACKOFF', context: { retryAt: AT + 30_000 } });
      const running = await subject().job();
      await moveJob(store, running, RUNNING);
      const held = await subject().job();
      await acquire(held);

      expect(await due()).toEqual(sorted(queued, disabled));
      expect(await due({ createdBefore: AT + 1 })).toEqual([...sorted(queued, disabled), young]);
      expect(await due({ enabled: false })).toEqual([queued]);
      expect(await due({ at: AT + 29_999 })).toEqual(sorted(queued, disabled, held));
      expect(await due({ at: AT + 30_000 })).toEqual(sorted(queued, disabled, held, backingOff));
      expect(await due({ at: AT + 30_000, enabled: false })).toEqual(sorted(queued, held));
    });

    test('due jobs come in pages in the order of submission, each once', async () => {
      const older = await subject().job({ createdAt: AT - 1_000 });
      const ids = [
        older,
        ...sorted(...(await Promise.all(Array.from({ length: 6 }, () => subject().job())))),
      ];
      const seen: string[] = [];
      for (let afterId: string | null = null; ; ) {
        const page: string[] = await due({ afterId, limit: 3 });
        if (page.length === 0) break;
        seen.push(...page);
        afterId = page.at(-1) ?? null;
      }
      expect(seen).toEqual(ids);
    });

    test('orphans: in progress, without a valid lease', async () => {
      const { store } = subject();
      const [lost, heldJob, canceling, waiting] = [
        await subject().job(),
        await subject().job(),
        await subject().job(),
        await subject().job(),
      ] as [string, string, string, string];
      await moveJob(store, lost, RUNNING);
      await moveJob(store, heldJob, RUNNING);
      await acquire(heldJob);
      await moveJob(store, canceling, { state: 'CANCEL_REQUESTED' });
      const ids = await orphaned();
      expect(ids).toEqual(sorted(lost, canceling));
      expect(ids).not.toContain(waiting);
      expect(await orphaned({ at: AT + TTL })).toEqual([...sorted(lost, canceling), heldJob]);
    });

    test('orphans: the longest without a holder first, so that new ones keep none waiting', async () => {
      const { store } = subject();
      const [newest, older, oldest] = sorted(
        ...(await Promise.all(Array.from({ length: 3 }, () => subject().job()))),
      ) as [string, string, string];
      for (const [jobId, ttlMs] of [
        [newest, 30],
        [older, 20],
        [oldest, 10],
      ] as const) {
        await moveJob(store, jobId, RUNNING);
        await store.acquireLease({ jobId, owner: 'a', at: AT, ttlMs });
      }
      expect(await orphaned({ at: AT + 30 })).toEqual([oldest, older, newest]);
      expect(await orphaned({ at: AT + 30, limit: 2 })).toEqual([oldest, older]);
    });

    test('orphans with the flag off: a job with an unsent purchase is left out, unless it is being canceled', async () => {
      const { store } = subject();
      const jobIds: Record<string, string> = {};
      for (const state of ['RESERVED', 'SENT', 'canceled']) {
        const jobId = await subject().job();
        jobIds[state] = jobId;
        await moveJob(store, jobId, state === 'canceled' ? { state: 'CANCEL_REQUESTED' } : RUNNING);
        await store.transaction((tx) =>
          createAttempt(tx, jobId, { attemptId: randomUUID(), attemptNumber: 1, at: AT }),
        );
        if (state === 'SENT') await moveAttempt(store, jobId, { state });
      }
      expect(await orphaned({ enabled: false })).toEqual(
        sorted(String(jobIds.SENT), String(jobIds.canceled)),
      );
      expect(await orphaned()).toHaveLength(3);
    });

    test('quarantine: in, out, and never twice', async () => {
      const { store } = subject();
      const waiting = await subject().job();
      const running = await subject().job();
      await moveJob(store, running, RUNNING);
      await acquire(running);
      for (const jobId of [waiting, running]) await store.quarantine({ jobId, at: AT, error: 'poison' });
      expect((await store.readJob(running))?.job).toMatchObject({
        quarantined: true,
        lease: null,
        version: 1,
      });
      expect([await due({ at: AT + TTL }), await orphaned({ at: AT + TTL })]).toEqual([[], []]);
      await store.transaction(async (tx) => {
        await tx.lockJob(running);
        await tx.liftQuarantine(running);
      });
      expect((await store.readJob(running))?.job.quarantined).toBe(false);
      expect((await store.readJob(waiting))?.job.quarantined).toBe(true);
      expect(await orphaned()).toEqual([running]);
      expect(await acquire(running)).toMatchObject({ lease: { epoch: 2 } });
    });

    test('a finished job is not quarantined', async () => {
      const { store } = subject();
      const jobId = await subject().job();
      await moveJob(store, jobId, { state: 'SUCCESS' });
      await store.quarantine({ jobId, at: AT, error: 'poison' });
      expect((await store.readJob(jobId))?.job.quarantined).toBe(false);
    });

    test('stale jobs: PENDING by age, the others by the age of their heartbeat', async () => {
      const { store } = subject();
      const MINUTE = 60_000;
      const stale = async (at: number) =>
        (await store.staleJobs({ at, pendingMs: 5 * MINUTE, activeMs: 2 * MINUTE, retryingMs: 5 * MINUTE }))
          .map(({ jobId, status, silentMs }) => ({ jobId, status, silentMs }))
          .toSorted((a, b) => a.status.localeCompare(b.status));
      const pending = await subject().job();
      const active = await subject().job();
      await moveJob(store, active, RUNNING);
      const canceling = await subject().job();
      await moveJob(store, canceling, { state: 'CANCEL_REQUESTED' });
      const retrying = await subject().job();
      await moveJob(store, retrying, { state: 'RETRYING.BACKOFF', context: { retryAt: AT } });
      const over = await subject().job();
      await moveJob(store, over, { state: 'FAILED' });

      expect(await stale(AT + 2 * MINUTE)).toEqual([]);
      const silentMs = 2 * MINUTE + 1;
      expect(await stale(AT + silentMs)).toEqual([
        { jobId: canceling, status: 'CANCEL_REQUESTED', silentMs },
        { jobId: active, status: 'PROCESSING', silentMs },
      ]);
      expect((await stale(AT + 5 * MINUTE + 1)).map(({ status }) => status)).toEqual([
        'CANCEL_REQUESTED',
        'PENDING',
        'PROCESSING',
        'RETRYING',
      ]);
      await acquire(active, { at: AT + 5 * MINUTE });
      expect((await stale(AT + 5 * MINUTE + 1)).map(({ jobId }) => jobId).toSorted()).toEqual(
        sorted(canceling, pending, retrying),
      );
    });
  });
}
