import { assign, setup } from 'xstate';

/**
 * The pause switch: whether this installation may begin purchases (`start_gate`, one row). Purchases begin only where
 * the flag is on and the switch is open. It also closes by itself: the row names the database server on which every
 * purchase is known. A server that was promoted or restored, or was away for a while, may have forgotten some. Then the
 * purchases are compared with the provider's list before another begins. Always true: the switch does not affect
 * purchases already made, so polling, collecting, canceling and deletion never read it. After a crash the row is read
 * again. Source: ARCHITECTURE.md#failover.
 */
export interface PauseSwitchContext {
  /** When it was last opened or closed; null while it never was. */
  changedAt: number | null;
  /** The server that knows every purchase; null until a worker has seen the first one. */
  server: string | null;
  /** When it began to be trusted. */
  trustedAt: number | null;
  /** The server whose purchases are being compared. */
  newServer: string | null;
  /** What was committed before this instant is certainly known to `newServer`. */
  certainUntil: number | null;
  /**
   * The time span in which people's decisions may be lost too: withdrawn pictures may be public again, ended sessions
   * alive. Null when there is nothing to check.
   */
  gapFrom: number | null;
  gapUntil: number | null;
}

export type PauseSwitchEvent =
  | { type: 'PAUSE_ASKED'; at: number }
  | { type: 'RESUME_ASKED'; at: number }
  /** A worker has looked at the database server. */
  | { type: 'SERVER_SEEN'; at: number; server: string; wasSilent: boolean; certainUntil: number }
  /**
   * The provider's list was compared with the rows. `forgotten` names the purchases that no row leads to, `setAside` those
   * whose job was quarantined, `disproved` counts the claims that were taken back. The last two: absent in older journals.
   */
  | {
      type: 'CHECK_PASSED';
      at: number;
      server: string;
      adopted: number;
      forgotten: string[];
      setAside?: string[];
      disproved?: number;
    }
  /** The provider's list no longer says what was bought in the gap. */
  | { type: 'GAP_TOO_LONG'; at: number; server: string }
  /** An operator has checked the decisions that may be lost. */
  | { type: 'GAP_LOOKED_AT'; at: number };

export const initialPauseSwitch: PauseSwitchContext = {
  changedAt: null,
  server: null,
  trustedAt: null,
  newServer: null,
  certainUntil: null,
  gapFrom: null,
  gapUntil: null,
};

const machineSetup = setup({
  types: { context: {} as PauseSwitchContext, events: {} as PauseSwitchEvent },
  actions: {
    noteChange: assign({ changedAt: ({ event }) => event.at }),
    noteServer: assign({
      server: ({ context, event }) => ('server' in event ? event.server : context.newServer),
      trustedAt: ({ event }) => event.at,
    }),
    noteNewServer: assign({
      newServer: ({ context, event }) => ('server' in event ? event.server : context.newServer),
      // Of two changes the earlier instant holds: nothing was certain in between.
      certainUntil: ({ context, event }) =>
        context.certainUntil ?? (event.type === 'SERVER_SEEN' ? event.certainUntil : null),
      gapFrom: ({ context, event }) =>
        context.gapFrom ?? (event.type === 'SERVER_SEEN' ? event.certainUntil : null),
      gapUntil: ({ event }) => event.at,
    }),
    closeGap: assign({ gapFrom: null, gapUntil: null }),
    endCheck: assign({ newServer: null, certainUntil: null }),
  },
  guards: {
    /** A server that was promoted may have had another one before it that was trusted. */
    isFirstServer: ({ context, event }) =>
      event.type === 'SERVER_SEEN' && context.server === null && !event.wasSilent,
    isOtherServer: ({ context, event }) =>
      event.type === 'SERVER_SEEN' && event.server !== (context.newServer ?? context.server),
    mayHaveForgotten: ({ context, event }) =>
      event.type === 'SERVER_SEEN' && (event.wasSilent || event.server !== context.server),
    hasGap: ({ context }) => context.gapFrom !== null,
    isOfThisCheck: ({ context, event }) => 'server' in event && event.server === context.newServer,
  },
});

const lookedAt = { guard: 'hasGap', actions: 'closeGap' } as const;
const firstServer = { guard: 'isFirstServer', actions: 'noteServer' } as const;

export const pauseSwitchMachine = machineSetup.createMachine({
  id: 'startGate',
  context: initialPauseSwitch,
  initial: 'OPEN',
  states: {
    OPEN: {
      description: 'Workers whose flag is on may begin purchases.',
      on: {
        GAP_LOOKED_AT: lookedAt,
        PAUSE_ASKED: { target: 'PAUSED', actions: 'noteChange' },
        SERVER_SEEN: [
          firstServer,
          { target: 'CHECKING', guard: 'mayHaveForgotten', actions: ['noteChange', 'noteNewServer'] },
        ],
      },
    },
    CHECKING: {
      description:
        'Closed by itself: the database server changed or was away, and purchases are compared with the provider.',
      on: {
        GAP_LOOKED_AT: lookedAt,
        CHECK_PASSED: {
          target: 'OPEN',
          guard: 'isOfThisCheck',
          actions: ['noteChange', 'noteServer', 'endCheck'],
        },
        GAP_TOO_LONG: { target: 'UNCERTAIN', guard: 'isOfThisCheck', actions: 'noteChange' },
        SERVER_SEEN: { guard: 'isOtherServer', actions: ['noteChange', 'noteNewServer'] },
        PAUSE_ASKED: { target: 'PAUSED', actions: ['noteChange', 'endCheck'] },
      },
    },
    UNCERTAIN: {
      description:
        'Closed until an operator has compared the purchases: the provider no longer lists them all.',
      on: {
        GAP_LOOKED_AT: lookedAt,
        RESUME_ASKED: { target: 'OPEN', actions: ['noteChange', 'noteServer', 'endCheck'] },
        SERVER_SEEN: { guard: 'isOtherServer', actions: ['noteChange', 'noteNewServer'] },
      },
    },
    PAUSED: {
      description: 'No purchase begins; what was already bought continues.',
      on: {
        GAP_LOOKED_AT: lookedAt,
        // A server that changed meanwhile is noticed as soon as the switch is open.
        RESUME_ASKED: { target: 'OPEN', actions: 'noteChange' },
        SERVER_SEEN: firstServer,
      },
    },
  },
});
