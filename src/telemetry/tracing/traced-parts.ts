import type { ActorSystem } from '../../../supervisors/actors/deliver.ts';
import type { Delivery, Message, Origin } from '../../../supervisors/actors/messages.ts';
import type { Reporter, TraceAttributes, Tracer, TraceSpan } from '../../../supervisors/ports.ts';
import type { ObjectStorage } from '../../storage/object-storage.ts';
import type { Tracing } from './tracing.ts';

/**
 * Parts of a process wrapped with tracing; the wrapped parts do not depend on it. While tracing is off, each
 * function returns the given part itself, which costs nothing.
 */

/** Each event with its transaction, including waits for locks and retries. */
export function tracedActorSystem(actorSystem: ActorSystem, tracing: Tracing): ActorSystem {
  if (!tracing.isOn) return actorSystem;
  return {
    deliver: (message, origin) =>
      tracedDelivery(tracing, subjectOf(message, origin), () => actorSystem.deliver(message, origin)),
    deliverAsSeen: (seen, message, origin) =>
      tracedDelivery(tracing, subjectOf(message, origin), () =>
        actorSystem.deliverAsSeen(seen, message, origin),
      ),
    // The span of its request is the job's own (`Tracing.forAttempt`).
    takeCallback: (receipt) => actorSystem.takeCallback(receipt),
    transaction: (work) =>
      tracing.span({ name: 'transaction' }, () =>
        actorSystem.transaction((open) =>
          work({
            ...open,
            deliver: (message, origin) =>
              tracedDelivery(tracing, subjectOf(message, origin), () => open.deliver(message, origin)),
          }),
        ),
      ),
  };
}

/** The pipeline's events, such as `completed` and `terminal_error`, on the transaction that caused each. */
export function tracedReporter(reporter: Reporter, tracing: Tracing): Reporter {
  if (!tracing.isOn) return reporter;
  return {
    ...reporter,
    report(jobId, order) {
      tracing.event(order.event, { 'proscenium.job.id': jobId, ...codesOf(order.fields) });
      reporter.report(jobId, order);
    },
    alert(subject, order) {
      tracing.event(`alert ${order.alert}`, { 'proscenium.actor.id': subject.id });
      reporter.alert(subject, order);
    },
  };
}

/** Puts, because work waits for them. Keys are not shown: the address of a public picture contains one. */
export function tracedStorage(storage: ObjectStorage, tracing: Tracing): ObjectStorage {
  if (!tracing.isOn) return storage;
  return {
    ...storage,
    put: (key, bytes, options) =>
      tracing.span(
        {
          name: 'object store put',
          kind: 'client',
          attributes: { 'proscenium.object.bytes': bytes.byteLength },
        },
        () => storage.put(key, bytes, options),
      ),
  };
}

interface DeliverySubject {
  kind: string;
  /** Null for the only actor of its kind. */
  id: string | null;
  event: string;
  by: string;
}

function subjectOf(message: Message, { by }: Origin): DeliverySubject {
  return { kind: message.to, id: 'id' in message ? message.id : null, event: message.event.type, by };
}

function tracedDelivery<D extends Delivery>(
  tracer: Tracer,
  { kind, id, event, by }: DeliverySubject,
  deliver: () => Promise<D>,
): Promise<D> {
  const attributes = {
    'proscenium.actor.kind': kind,
    'proscenium.actor.id': id,
    'proscenium.event': event,
    // The journal names the person; the trace shows only whether it was a person, a worker or the provider.
    'proscenium.by': by.split(':', 1)[0] ?? '',
  };
  return tracer.span({ name: `deliver ${event}`, attributes }, async (span: TraceSpan) => {
    const delivery = await deliver();
    span.note(outcomeOf(delivery));
    return delivery;
  });
}

function outcomeOf(told: Delivery): TraceAttributes {
  const outcome = { 'proscenium.outcome': told.outcome };
  return told.outcome === 'missing'
    ? outcome
    : { ...outcome, 'proscenium.state': told.state, 'proscenium.version': told.version };
}

/** The fields of a report that are codes by their names, and numbers. */
function codesOf(fields: Readonly<Record<string, string | number | null>>): TraceAttributes {
  const shown = Object.entries(fields).filter(
    ([name, value]) => typeof value === 'number' || name === 'errorCode' || name === 'providerStatus',
  );
  return Object.fromEntries(shown.map(([name, value]) => [`proscenium.${name}`, value]));
}
