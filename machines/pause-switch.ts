import { assign, setup } from 'xstate';

/**
 * The pause switch: whether this installation may begin purchases (`start_gate`, one row). Purchases begin only where
 * the flag is on and the switch is open. Always true: the switch does not affect purchases already made, so polling,
 * collecting, cancelling and deletion never read it. After a crash the row is read again.
 */
export interface PauseSwitchContext {
  /** When it was last opened or closed; null while it never was. */
  changedAt: number | null;
}

export type PauseSwitchEvent = { type: 'PAUSE_ASKED'; at: number } | { type: 'RESUME_ASKED'; at: number };

export const initialPauseSwitch: PauseSwitchContext = { changedAt: null };

const machineSetup = setup({
  types: { context: {} as PauseSwitchContext, events: {} as PauseSwitchEvent },
  actions: { noteChange: assign({ changedAt: ({ event }) => event.at }) },
});

export const pauseSwitchMachine = machineSetup.createMachine({
  id: 'startGate',
  context: initialPauseSwitch,
  initial: 'OPEN',
  states: {
    OPEN: {
      description: 'Workers whose flag is on may begin purchases.',
      on: { PAUSE_ASKED: { target: 'PAUSED', actions: 'noteChange' } },
    },
    PAUSED: {
      description: 'No purchase begins; what was bought already goes on.',
      on: { RESUME_ASKED: { target: 'OPEN', actions: 'noteChange' } },
    },
  },
});
