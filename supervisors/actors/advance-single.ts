import type { Order } from '../../machines/orders.ts';
import { type Step, step } from '../../machines/step.ts';
import { type SingleActor, singleKind } from '../../persistence/actors/actor-kinds.ts';
import type { ActorTransaction, JournalEntry } from '../../persistence/actors/actor-store.ts';
import type { ImageReviewActor } from '../../persistence/actors/image-row.ts';
import type { AfterCommit } from './after-commit.ts';
import { signatureOf } from './journal-signature.ts';
import type { Delivery, Origin } from './messages.ts';

export interface Scope {
  tx: ActorTransaction;
  after: AfterCommit;
  origin: Origin;
}

/** Moves a locked actor that is an aggregate of its own. */
export async function advance(
  scope: Scope,
  actor: SingleActor,
  event: { type: string; at: number },
): Promise<Delivery> {
  const { tx, after, origin } = scope;
  const decided: Step<unknown> = step(singleKind(actor.kind).machine, actor as never, event as never);
  after.transition(actor.kind, event.type, decided.outcome);
  if (decided.outcome === 'ignored')
    return { outcome: 'ignored', state: actor.state, version: actor.version };
  const entry: JournalEntry = {
    kind: actor.kind,
    id: actor.id,
    seq: actor.version + 1,
    event,
    from: actor.state,
    to: decided.next.state,
    ...signatureOf(origin),
    leaseEpoch: null,
  };
  const saved = await tx.save(actor, decided.next as never, entry);
  for (const order of decided.orders) await fulfil(scope, actor, order);
  return { outcome: 'applied', state: saved.state, version: saved.version };
}

async function fulfil({ tx, after }: Scope, actor: SingleActor, order: Order): Promise<void> {
  const { kind, id } = actor;
  if (!singleKind(kind).orders.includes(order.type))
    throw new Error(`an actor of kind ${kind} does not order ${order.type}`);
  switch (order.type) {
    case 'recordReview':
      return tx.insertReviewEvent(actor as ImageReviewActor, order.params);
    case 'removeImageRow':
      return void (await tx.deleteImage(id));
    case 'alert':
      return after.alert({ kind, id }, order.params);
    default:
      throw new Error(`nobody fulfils ${order.type} for an actor that is an aggregate of its own`);
  }
}
