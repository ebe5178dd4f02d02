import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import type { JobAggregate } from '../../../persistence/actors/rows/job-row.ts';
import { dropLostReference } from '../../../persistence/jobs/job-inputs.ts';
import type { ActorSystem } from '../../../supervisors/actors/deliver.ts';
import { drainDeletions } from '../../../supervisors/sweepers/deletion-drain.ts';
import { GIVE_UP_FINGERPRINTS } from '../../support/database/photo-verdicts.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';
import { NEVER_STOPPED } from '../../support/never-stopped.ts';
import { asMessage, markPass } from '../../support/worlds/job-driver.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { type SetClock, setClock } from '../../support/worlds/tour-visits.ts';
import type { DrainAnswer } from './deletion-model.ts';
import { callBack } from './staging-host.ts';
import type { GroupModel } from './staging-model.ts';
import { type Answered, roomIn } from './staging-people.ts';
import { quietActorSystem } from './staging-scene.ts';
import { type Act, LEASE_MS, type Outcome, withdrawalEvent } from './walk-acts.ts';

/** The real side of a walk: the API host and, beside it, two workers and the sweepers on the same rows. */
export interface WalkWorld {
  host: ApiHost;
  clock: SetClock;
  actorSystem: ActorSystem;
  agents: readonly [Person, Person];
}

export async function openWalkWorld(): Promise<WalkWorld> {
  const clock = setClock();
  // A walk is hundreds of requests of the same two agents in a few seconds.
  const settings = { REQUEST_LIMIT_PER_MINUTE_IP: '0', REQUEST_LIMIT_PER_MINUTE_SESSION: '0' };
  const host = await startApiHost({ overrides: clock.overrides, settings });
  const agents = [await host.signedIn(), await host.signedIn()] as const;
  return { host, clock, agents, actorSystem: quietActorSystem(host.pool) };
}

export async function clear({ host }: WalkWorld): Promise<void> {
  await host.rows(`truncate properties, property_images, ai_jobs, storage_deletion_outbox, actor_transitions,
    ai_provider_webhook_receipts cascade`);
}

/** A listing of both agents with one original. */
export async function newOriginalOf({ host, agents: [owner, colleague] }: WalkWorld) {
  const { propertyId, imageId } = await host.listing(owner);
  await host.rows(
    'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
    [propertyId, colleague.id],
  );
  const keys = { objectKey: `originals/${imageId}.jpg`, providerInputKey: `inputs/${imageId}.jpg` };
  return { propertyId, imageId, ...keys };
}

const ANY = '00000000-0000-4000-8000-000000000000';

/** Performs the act. `seen` is the job as its runner read it some time before. */
export async function perform(
  world: WalkWorld,
  act: Act,
  { imageId, group, seen }: { imageId: string; group: GroupModel | null; seen: JobAggregate | undefined },
): Promise<Outcome> {
  const { host, actorSystem, agents } = world;
  const agent = agents['agent' in act && act.agent === 1 ? 1 : 0];
  switch (act.do) {
    case 'submit': {
      const assignments = [{ originalImageId: imageId, roomType: roomIn(act.style), style: act.style }];
      const groupId = act.grouped ? { groupId: group?.id } : {};
      const answer = await agent.mutate('ai.submitRoomStaging', { ...groupId, assignments });
      return answered(answer, answer.data?.results[0]);
    }
    case 'approveOther':
      return answered(await agent.mutate('ai.approveStagedVariant', { imageId: group?.picture?.id ?? ANY }));
    case 'deleteOther':
      return answered(await agent.send('DELETE', `/api/property-images/${group?.other.id ?? ANY}`));
    case 'dropSecondInput': {
      if (act.by === null) return { found: false };
      return { found: await dropLostReference(host.pool, { jobId: act.jobId, ...act.by }) };
    }
    case 'cancel':
      return answered(await agent.mutate('ai.cancelStagingJob', { aiJobId: act.jobId }));
    case 'approve':
      return answered(await agent.mutate('ai.approveStagedVariant', { imageId: act.imageId }));
    case 'reject':
      return answered(await agent.mutate('ai.rejectStagedVariant', { imageId: act.imageId }));
    case 'withdraw':
    case 'lift': {
      const { imageId: id, by } = act;
      if (by !== 'AGENT')
        return actorSystem.deliver({ to: 'imageReview', id, event: withdrawalEvent(act) }, { by });
      const procedure = act.do === 'withdraw' ? 'ai.withdrawStagedVariant' : 'ai.liftWithdrawal';
      return answered(await agent.mutate(procedure, { imageId: id }));
    }
    case 'deleteOriginal':
      return answered(await agent.send('DELETE', `/api/property-images/${imageId}`));
    case 'removeRow': {
      const { rowCount } = await host.pool.query('delete from property_images where id = $1', [imageId]);
      return { found: rowCount === 1 };
    }
    case 'sendToJob':
      await markPass(host.pool, act.jobId, act.event);
      return actorSystem.deliver(
        { to: 'stagingJob', id: act.jobId, event: asMessage(act.event) },
        originOf(act.by),
      );
    case 'sendToAttempt': {
      const message = { to: 'providerAttempt', id: act.attemptId, event: act.event } as const;
      const origin = originOf(act.by);
      return act.asSeen && seen
        ? actorSystem.deliverAsSeen(seen, message, origin)
        : actorSystem.deliver(message, origin);
    }
    case 'callBack':
      await callBack(host, { ...act, providerStatus: act.status });
      return { status: 200, data: { received: true } };
    case 'drain':
      return { found: await drainFor(world, act) };
    case 'retryDeletion':
      return retry(world, act);
    default:
      return leaseOrSweep(world, act);
  }
}

type LeaseOrSweep = Extract<Act, { do: 'takeLease' | 'renewLease' | 'giveBack' | 'sweep' }>;
async function leaseOrSweep({ host }: WalkWorld, act: LeaseOrSweep): Promise<Outcome> {
  const store = createPostgresActorStore(host.pool);
  const { at } = act;
  if (act.do === 'sweep') {
    const page = { afterId: null, limit: 100, at, enabled: act.enabled };
    const due = await store.dueJobs({ ...page, createdBefore: at });
    const orphaned = await store.orphanedJobs(page);
    return { found: { due: due.toSorted(), orphaned: orphaned.toSorted() } };
  }
  const { jobId, worker: owner, epoch } = act;
  if (act.do === 'takeLease') {
    const taken = await store.acquireLease({ jobId, owner, at, ttlMs: LEASE_MS });
    return { found: taken?.lease.epoch ?? null };
  }
  if (act.do === 'renewLease') {
    const { renewed } = await store.renewLeases({ leases: [{ jobId, epoch }], owner, at, ttlMs: LEASE_MS });
    return { found: renewed.length === 1 };
  }
  await store.releaseLease({ jobId, owner, epoch });
  return { found: true };
}

async function drainFor(
  { host, actorSystem }: WalkWorld,
  { answer, at }: { answer: DrainAnswer; at: number },
) {
  const deleter = {
    async delete() {
      if (answer === 'nothing') throw new Error('the worker died');
      if (answer === 'deleted') return { kind: 'deleted' } as const;
      return { kind: 'failed', errorClass: answer, error: answer } as const;
    },
  };
  // No worker makes fingerprints here, for which the files would wait.
  await host.rows(GIVE_UP_FINGERPRINTS);
  return drainDeletions(
    {
      actorSystem,
      deleter,
      clock: { now: () => at },
      chance: { id: () => '', jitter: () => 0 },
      reporter: createRecordingReporter(),
      checkpoint: () => {},
      node: 'node-a',
    },
    NEVER_STOPPED,
  );
}

async function retry(
  { host, actorSystem }: WalkWorld,
  { objectKey, force, at }: Extract<Act, { do: 'retryDeletion' }>,
): Promise<Outcome> {
  const [item] = await host.rows<{ id: string }>(
    'select id from storage_deletion_outbox where "objectKey" = $1',
    [objectKey],
  );
  if (!item) return { outcome: 'missing' };
  const event = { type: 'RETRY_ASKED', at, force } as const;
  return actorSystem.deliver({ to: 'deletionItem', id: item.id, event }, { by: 'operator' });
}

const originOf = (lease: { owner: string; epoch: number } | null) =>
  lease === null ? { by: 'somebody' } : { by: `worker:${lease.owner}`, lease };

const answered = ({ status, errorCode, data }: Answer, told: unknown = data): Answered => ({
  status,
  ...(errorCode === undefined ? {} : { errorCode }),
  ...(told === undefined || told === null ? {} : { data: told as Record<string, unknown> }),
});
