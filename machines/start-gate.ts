import { assign, setup } from 'xstate';

/**
 * The start gate: whether this installation may begin purchases (`start_gate`, one row). It stands behind the flag:
 * purchases begin only where the flag is on and the gate is open. Always true: the gate says nothing about what was
 * bought already, so polling, collecting, cancelling and deletion never ask it. After a crash the row is read again.
 */
export interface StartGateContext {
  /** When it was last opened or closed; null while it never was. */
  changedAt: number | null;
}

export type StartGateEvent = { type: 'PAUSE_ASKED'; at: number } | { type: 'RESUME_ASKED'; at: number };

export const initialStartGate: StartGateContext = { changedAt: null };

const machineSetup = setup({
  types: { context: {} as StartGateContext, events: {} as StartGateEvent },
  actions: { noteChange: assign({ changedAt: ({ event }) => event.at }) },
});

export const startGateMachine = machineSetup.createMachine({
  id: 'startGate',
  context: initialStartGate,
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
