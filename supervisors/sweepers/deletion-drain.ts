import { DELETION_CLAIM_MS } from '../../machines/limits.ts';
import type { DeletionItemActor } from '../../persistence/actors/rows/deletion-row.ts';
import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import type { Origin } from '../actors/messages.ts';
import type { Chance, Checkpoint, Clock, ObjectDeleter, Reporter } from '../ports.ts';
import type { StopSignals } from '../supervision/service.ts';

/**
 * One drain of the deletion outbox: releases expired claims, then claims due items in small batches, deletes each from
 * the object store and records the result. Independent of the staging flag. A crash between claim and record lets the
 * claim expire; deleting twice is harmless. When the process stops, no further batch is claimed; claimed items are
 * deleted until the deadline. Source: docs/charts/deletion-item.md.
 */
export interface DrainPorts {
  actorSystem: ActorSystem;
  deleter: ObjectDeleter;
  clock: Clock;
  chance: Chance;
  reporter: Reporter;
  checkpoint: Checkpoint;
  node: string;
}
const BATCH = 20;
/** Bounds one drain; the next minute takes the rest. */
const MAX_BATCHES = 500;

export async function drainDeletions(ports: DrainPorts, stop: StopSignals): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < MAX_BATCHES && !stop.draining.aborted; batch += 1) {
    await ports.checkpoint('before-outbox-claim', ports.node);
    const { claimed, offered } = await claimBatch(ports);
    if (offered === 0) break;
    await ports.checkpoint('after-outbox-claim', ports.node);
    for (const item of claimed)
      if (!stop.forced.aborted && (await tryToRemove(ports, item, stop.forced))) deleted += 1;
  }
  if (deleted > 0) ports.reporter.count('deletions_done', deleted);
  return deleted;
}

interface Batch {
  claimed: DeletionItemActor[];
  /** How many were due, including those that are still needed. */
  offered: number;
}

/** Claims in one transaction; an object that a live row still needs is closed there and never deleted (I20). */
function claimBatch({ actorSystem, clock, node }: DrainPorts): Promise<Batch> {
  const at = clock.now();
  const origin: Origin = { by: `worker:${node}` };
  return actorSystem.transaction(async ({ tx, deliver }) => {
    const expired = await tx.lockExpiredDeletions({ claimedBefore: at - DELETION_CLAIM_MS, limit: BATCH });
    for (const { id } of expired)
      await deliver({ to: 'deletionItem', id, event: { type: 'CLAIM_EXPIRED', at } }, origin);
    const claimed: DeletionItemActor[] = [];
    const due = await tx.lockDueDeletions({ at, limit: BATCH });
    for (const item of due) {
      const { id } = item;
      const taken = await deliver(
        { to: 'deletionItem', id, event: { type: 'CLAIMED', at, by: node } },
        origin,
      );
      if (taken.outcome !== 'applied') continue;
      if (await tx.isObjectReferenced(item.objectKey))
        await deliver({ to: 'deletionItem', id, event: { type: 'STILL_REFERENCED', at } }, origin);
      else claimed.push(item);
    }
    return { claimed, offered: due.length };
  });
}

/** One item that fails does not stop the others: its claim runs out. An outage ends the drain. */
async function tryToRemove(
  ports: DrainPorts,
  item: DeletionItemActor,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await removeObject(ports, item, signal);
  } catch (error) {
    if (databaseFailure(error) === 'unavailable') throw error;
    ports.reporter.problem('a deletion could not be handled', error, { id: item.id });
    return false;
  }
}

async function removeObject(
  ports: DrainPorts,
  { id, objectKey }: DeletionItemActor,
  signal: AbortSignal,
): Promise<boolean> {
  const { actorSystem, deleter, clock, chance, node, reporter } = ports;
  const answer = await deleter.delete(objectKey, signal);
  await ports.checkpoint('after-delete', id);
  const at = clock.now();
  const event =
    answer.kind === 'deleted'
      ? ({ type: 'OBJECT_DELETED', at } as const)
      : ({
          type: 'DELETE_FAILED',
          at,
          errorClass: answer.errorClass,
          error: answer.error,
          jitter: chance.jitter(),
        } as const);
  if (answer.kind === 'failed')
    reporter.problem('an object could not be deleted', new Error(answer.error), { id });
  await actorSystem.deliver({ to: 'deletionItem', id, event }, { by: `worker:${node}` });
  return answer.kind === 'deleted';
}
