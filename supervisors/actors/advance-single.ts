import { type DeletionItemEvent, deletionItemMachine } from '../../machines/deletion-item.ts';
import { type ImageReviewEvent, imageReviewMachine } from '../../machines/image-review.ts';
import type { Order } from '../../machines/orders.ts';
import { type SearchDocumentEvent, searchDocumentMachine } from '../../machines/search-document.ts';
import { type StartGateEvent, startGateMachine } from '../../machines/start-gate.ts';
import { type Step, step } from '../../machines/step.ts';
import type {
  ActorTransaction,
  DeletionItemActor,
  ImageReviewActor,
  JournalEntry,
  SearchDocumentActor,
  StartGateActor,
  TourActor,
} from '../../persistence/actors/actor-store.ts';
import type { AfterCommit } from './after-commit.ts';
import { signatureOf } from './journal-signature.ts';
import type { Delivery, Origin } from './messages.ts';

/** Moves an actor that is an aggregate of its own: an image under review, a deletion item, what operators move. */
export interface Scope {
  tx: ActorTransaction;
  after: AfterCommit;
  origin: Origin;
}

export function advanceImage(
  scope: Scope,
  image: ImageReviewActor,
  event: ImageReviewEvent,
): Promise<Delivery> {
  return advance(scope, image, {
    event,
    decided: step(imageReviewMachine, image, event),
    fulfil: async (order) => {
      if (order.type === 'recordReview') return scope.tx.insertReviewEvent(image, order.params);
      if (order.type === 'removeImageRow') return void (await scope.tx.deleteImage(image.id));
      throw new Error(`an image review does not order ${order.type}`);
    },
  });
}

export function advanceDeletion(
  scope: Scope,
  item: DeletionItemActor,
  event: DeletionItemEvent,
): Promise<Delivery> {
  return advance(scope, item, {
    event,
    decided: step(deletionItemMachine, item, event),
    fulfil: async (order) => {
      if (order.type !== 'alert') throw new Error(`a deletion item does not order ${order.type}`);
      scope.after.alert({ kind: 'deletionItem', id: item.id }, order.params);
    },
  });
}

export function advanceStartGate(
  scope: Scope,
  gate: StartGateActor,
  event: StartGateEvent,
): Promise<Delivery> {
  const decided = step(startGateMachine, gate, event);
  return advance(scope, gate, { event, decided, fulfil: ordersNothing });
}

export function advanceSearchDocument(
  scope: Scope,
  document: SearchDocumentActor,
  event: SearchDocumentEvent,
): Promise<Delivery> {
  const decided = step(searchDocumentMachine, document, event);
  return advance(scope, document, { event, decided, fulfil: ordersNothing });
}

const ordersNothing = async ({ type }: Order): Promise<void> => {
  throw new Error(`this actor does not order ${type}`);
};

type SingleActor = ImageReviewActor | DeletionItemActor | TourActor | StartGateActor | SearchDocumentActor;

export async function advance<A extends SingleActor>(
  { tx, after, origin }: Scope,
  actor: A,
  {
    event,
    decided,
    fulfil,
  }: {
    event: { type: string; at: number };
    decided: Step<A['context']>;
    fulfil(order: Order): Promise<void>;
  },
): Promise<Delivery> {
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
  const saved = await tx.save(actor, decided.next, entry);
  for (const order of decided.orders) await fulfil(order);
  return { outcome: 'applied', state: saved.state, version: saved.version };
}
