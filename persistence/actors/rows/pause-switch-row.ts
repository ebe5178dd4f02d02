import { type PauseSwitchContext, pauseSwitchMachine } from '../../../machines/pause-switch.ts';
import { type ActorKindDefinition, instant, plain, rowsOfTable, type StoredActor } from '../actor-kind.ts';

export type PauseSwitchActor = StoredActor<'startGate', PauseSwitchContext>;

/** The id of the one row, for the journal and the operators' pages. */
export const PAUSE_SWITCH_ID = '00000000-0000-4000-8000-000000000001';

/** Actor and note of the last change. */
const LAST_CHANGE = `(SELECT jsonb_build_object('by', "actedBy", 'note', note) FROM actor_transitions
  WHERE "actorKind" = 'startGate' AND "actorId" = t.id ORDER BY seq DESC LIMIT 1)`;

const WAITS: Readonly<Record<string, { word: string; sentence: string; person: boolean }>> = {
  PAUSED: {
    word: 'operator',
    sentence: 'Closed: no purchase begins until an operator resumes starting.',
    person: true,
  },
  CHECKING: {
    word: 'comparison',
    sentence:
      "Closed: the database server changed. Purchases are compared with the provider's list, then starting resumes by itself.",
    person: false,
  },
  UNCERTAIN: {
    word: 'operator',
    sentence:
      "Closed: the database server changed, and the provider's list no longer names all purchases. Follow the restore runbook, then resume starting.",
    person: true,
  },
};

export const pauseSwitchKind: ActorKindDefinition<PauseSwitchActor, typeof pauseSwitchMachine, null> = {
  kind: 'startGate',
  machine: pauseSwitchMachine,
  file: 'pause-switch',
  effects: [],
  keptIn: '`start_gate.status`',
  rows: rowsOfTable<PauseSwitchActor>('startGate', {
    table: 'start_gate',
    context: {
      changedAt: instant,
      server: plain,
      trustedAt: instant,
      newServer: plain,
      certainUntil: instant,
      gapFrom: instant,
      gapUntil: instant,
    },
    beside: {},
  }),
  list: null,
  label: { one: 'Pause switch', many: 'Pause switch' },
  foundBy: {},
  page: {
    beside: { lastChange: LAST_CHANGE },
    createdAt: null,
    facts: ({ context }) => ({
      'Last changed': { instant: context.changedAt },
      'Purchases are certain until': { instant: context.certainUntil },
      'Decisions may be lost since': { instant: context.gapFrom },
      'Decisions may be lost until': { instant: context.gapUntil },
    }),
    wait: ({ state }) => WAITS[state] ?? null,
  },
};
