import type { Delivery, Message, Origin } from '../../supervisors/actors/messages.ts';
import { DESCRIPTIONS, type Description, OPERATIONS } from './descriptions.ts';
import { dryRunOf, toText } from './dry-run.ts';
import type {
  Asking,
  Operation,
  OperationInfo,
  OperationName,
  OperationPorts,
  Outcome,
  Preview,
} from './operation.ts';
import { originOf } from './signature.ts';
import { isQuarantined, readSubject, type Subject } from './subjects.ts';

export interface Operations {
  list(): readonly Operation[];
  /** Those that move actors of a kind. */
  operationsFor(kind: string): readonly Operation[];
  /** Null when there is none of that name. */
  find(name: string): Operation | null;
}

export function createOperations(ports: OperationPorts): Operations {
  const all = OPERATIONS.map((info) => createOperation(ports, info));
  return {
    list: () => all,
    operationsFor: (kind) => all.filter(({ kinds }) => kinds.some((one) => one === kind)),
    find: (name) => all.find((one) => one.name === name) ?? null,
  };
}

interface Named {
  name: OperationName;
  description: Description;
}

function createOperation(ports: OperationPorts, info: OperationInfo): Operation {
  const { name, kinds } = info;
  const description = DESCRIPTIONS[name];
  const named: Named = { name, description };
  const eventOf = (subject: Subject, force: boolean) => {
    const event = { type: description.event, at: ports.clock.now() };
    if (event.type === 'RETRY_ASKED') return { ...event, force };
    return event.type === 'RELEASE_ASKED' ? { ...event, quarantined: isQuarantined(subject) } : event;
  };
  return {
    ...info,
    async preview(id, { force = false } = {}) {
      const subject = await readSubject(ports, kinds, id);
      return subject === null ? nothing(name, id) : previewOf(named, subject, eventOf(subject, force));
    },
    async run(id, asking) {
      const origin = originOf(asking, ports.scrub);
      const subject = await readSubject(ports, kinds, id);
      const delivery =
        subject === null
          ? ({ outcome: 'missing' } as const)
          : await deliver(ports, subject, { event: eventOf(subject, asking.force ?? false), origin });
      return outcomeOf(named, delivery, { id, subject, asking });
    },
  };
}

function previewOf(
  { name, description }: Named,
  subject: Subject,
  event: { type: string; at: number },
): Preview {
  const { kind, actor } = subject;
  const dryRun = dryRunOf(subject, event);
  const common = { operation: name, id: actor.id, kind, version: actor.version };
  const from = toText(kind, actor.state);
  if (dryRun === null)
    return {
      ...common,
      from,
      outcome: 'ignored',
      to: null,
      effects: [],
      why: description.whyIgnored(subject),
    };
  const effects = [...dryRun.effects, ...description.notes(subject)];
  return { ...common, from, outcome: 'applies', to: dryRun.to, effects, why: null };
}

const nothing = (operation: OperationName, id: string): Preview => ({
  operation,
  id,
  kind: null,
  outcome: 'missing',
  version: null,
  from: null,
  to: null,
  effects: [],
  why: NO_SUCH,
});
const NO_SUCH = 'There is nothing of that id that this could move.';

/** The machine decides on the locked row; the subject only says to whom the event goes. */
function deliver(
  { actorSystem }: OperationPorts,
  { kind, actor }: Subject,
  { event, origin }: { event: { type: string; at: number }; origin: Origin },
): Promise<Delivery> {
  return actorSystem.deliver({ to: kind, id: actor.id, event } as Message, origin);
}

function outcomeOf(
  { name, description }: Named,
  told: Delivery,
  { id, subject, asking }: { id: string; subject: Subject | null; asking: Asking },
): Outcome {
  if (told.outcome === 'missing' || subject === null)
    return {
      operation: name,
      id,
      kind: null,
      outcome: 'missing',
      state: null,
      version: null,
      why: NO_SUCH,
    };
  const { state, version } = told;
  // No operation starts a purchase, so the start rate refuses none.
  const outcome = told.outcome === 'limited' ? 'ignored' : told.outcome;
  const { kind } = subject;
  const why =
    told.outcome === 'applied'
      ? null
      : told.outcome === 'stale'
        ? `It has moved on since: it is ${state} at version ${version}, not ${asking.seenVersion}.`
        : description.whyIgnored({ ...subject, actor: { ...subject.actor, state } } as Subject);
  return { operation: name, id: subject.actor.id, kind, outcome, state, version, why };
}
