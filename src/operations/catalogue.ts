import type { SeenActor } from '../../persistence/console/actors.ts';
import type { Message } from '../../supervisors/actors/messages.ts';
import { ACTS, createActOperation } from './acts.ts';
import { collectAsked } from './collecting.ts';
import { confirmed } from './confirmed.ts';
import { OPERATIONS } from './descriptions.ts';
import { dryRunOf, toText } from './dry-run.ts';
import type {
  ActorOperationInfo,
  Operation,
  OperationInfo,
  OperationName,
  OperationPorts,
  Preview,
} from './operation.ts';
import { originOf } from './signature.ts';
import { isQuarantined, readSubject } from './subjects.ts';

export type Operations = ReturnType<typeof createOperations>;

/** Every operation, for code that only describes them. */
export const ALL_OPERATIONS: readonly OperationInfo[] = [...OPERATIONS, ...ACTS];

export function createOperations(ports: OperationPorts) {
  const all = [
    ...OPERATIONS.map((info) => createOperation(ports, info)),
    ...ACTS.map((act) => createActOperation(ports, act)),
  ];
  return {
    list: (): readonly Operation[] => all,
    /** The operations on a kind of actors, on accounts, or on listings. */
    operationsFor: (kind: string) => all.filter(({ kinds }) => kinds.some((one) => one === kind)),
    /** Null when no operation has this name. */
    find: (name: string) => all.find((one) => one.name === name) ?? null,
  };
}

function createOperation(ports: OperationPorts, info: ActorOperationInfo): Operation {
  const { name, kinds, lessens } = info;
  const eventOf = async (subject: SeenActor, force: boolean) => {
    const event = { type: info.event, at: ports.clock.now() };
    if (event.type === 'COLLECT_ASKED') return collectAsked(ports, subject, event.at);
    if (event.type === 'RETRY_ASKED') return { ...event, force };
    if (event.type === 'WITHDRAW' || event.type === 'LIFT') return { ...event, by: 'OPERATOR' };
    if (event.type === 'CONTEST_READ') return { ...event, actor: 'system' };
    return event.type === 'RELEASE_ASKED' ? { ...event, quarantined: isQuarantined(subject) } : event;
  };
  return {
    ...info,
    async preview(id, { force = false } = {}) {
      const subject = await readSubject(ports.pool, kinds, id);
      if (subject !== null) return previewOf(info, subject, await eventOf(subject, force));
      return { ...missing(name, id), from: null, to: null, effects: [] };
    },
    async run(id, asking) {
      const origin = originOf(asking, ports.scrub);
      const subject = await readSubject(ports.pool, kinds, id);
      if (subject === null) return { ...missing(name, id), state: null, isDurable: true };
      const { kind, actor } = subject;
      const event = await eventOf(subject, asking.force ?? false);
      // The machine decides on the locked row; the subject only identifies the actor.
      const deliver = () => ports.actorSystem.deliver({ to: kind, id: actor.id, event } as Message, origin);
      const { result: told, isDurable } = await confirmed(ports, { lessens, work: deliver });
      if (told.outcome === 'missing') return { ...missing(name, id), state: null, isDurable };
      const { state, version } = told;
      // No operation starts a purchase, so the start rate rejects none.
      const outcome = told.outcome === 'limited' ? 'ignored' : told.outcome;
      const now = { ...subject, actor: { ...actor, state } } as SeenActor;
      const why = {
        applied: () => null,
        stale: () =>
          `It has moved on since: it is ${state} at version ${version}, not ${asking.seenVersion}.`,
        ignored: async () => info.whyIgnored(now, await eventOf(now, asking.force ?? false)),
      }[outcome]();
      return { operation: name, id: actor.id, kind, outcome, state, version, why: await why, isDurable };
    },
  };
}

const missing = (operation: OperationName, id: string) => ({
  operation,
  id,
  kind: null,
  outcome: 'missing' as const,
  version: null,
  why: 'There is nothing of that id that this could move.',
});

function previewOf(
  info: ActorOperationInfo,
  subject: SeenActor,
  event: { type: string; at: number },
): Preview {
  const { kind, actor } = subject;
  const dryRun = dryRunOf(subject, event);
  return {
    operation: info.name,
    id: actor.id,
    kind,
    version: actor.version,
    outcome: dryRun === null ? 'ignored' : 'applies',
    from: toText(kind, actor.state),
    to: dryRun?.to ?? null,
    effects: dryRun === null ? [] : [...dryRun.effects, ...info.notes(subject)],
    why: dryRun === null ? info.whyIgnored(subject, event) : null,
  };
}
