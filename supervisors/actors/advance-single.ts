import type { Effect, ReportOutcome } from '../../machines/effects.ts';
import { type Step, step } from '../../machines/step.ts';
import { definitionOf, type SingleActor } from '../../persistence/actors/actor-kinds.ts';
import type { ActorTransaction, JournalEntry } from '../../persistence/actors/actor-store.ts';
import { birthOf } from '../../persistence/actors/birth.ts';
import type { ImageReviewActor } from '../../persistence/actors/rows/image-row.ts';
import type { AfterCommit } from './after-commit.ts';
import { signatureOf } from './journal-signature.ts';
import type { DeletionRequest, Delivery, Origin } from './messages.ts';

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
  const decided: Step<unknown> = step(definitionOf(actor.kind).machine, actor as never, event as never);
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
  for (const effect of decided.effects) await apply(scope, actor, effect);
  return { outcome: 'applied', state: saved.state, version: saved.version };
}

/** Creates the deletion of an object inside the caller's transaction. */
export async function createDeletion(
  { tx, after, origin }: Omit<Scope, 'tx'> & { tx: Pick<ActorTransaction, 'create'> },
  { id, details, event }: Omit<DeletionRequest, 'to'>,
): Promise<Delivery> {
  const { actor, entry } = birthOf({ kind: 'deletionItem', id, event }, signatureOf(origin));
  await tx.create({ actor: { ...actor, ...details }, entry });
  after.transition(actor.kind, event.type, 'applied');
  return { outcome: 'applied', state: actor.state, version: actor.version };
}

/** Tells the undecided reports of a locked image what was decided about it. */
async function settleReports(scope: Scope, imageId: string, event: ReportOutcome): Promise<void> {
  for (const { id } of await scope.tx.undecidedReportsOf(imageId)) {
    const report = await scope.tx.lock('mismatchReport', id);
    if (report !== null) await advance(scope, report, event);
  }
}

async function apply(scope: Scope, actor: SingleActor, effect: Effect): Promise<void> {
  const { tx, after } = scope;
  const { kind, id } = actor;
  if (!definitionOf(kind).effects.includes(effect.type))
    throw new Error(`an actor of kind ${kind} does not emit ${effect.type}`);
  switch (effect.type) {
    case 'recordReview':
      return tx.insertReviewEvent(actor as ImageReviewActor, effect.params);
    case 'recordProvenance':
      return tx.insertProvenance(id, effect.params);
    case 'settleReports':
      return settleReports(scope, id, effect.params.event);
    case 'removeImageRow':
      return void (await tx.deleteImage(id));
    case 'alert':
      return after.alert({ kind, id }, effect.params);
    default:
      throw new Error(`${effect.type} cannot be applied for an actor that is an aggregate of its own`);
  }
}
