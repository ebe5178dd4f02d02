import { initialPauseSwitch, pauseSwitchMachine } from '../../machines/pause-switch.ts';
import { PAUSE_SWITCH_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { testRules } from './rules.ts';

const changed = { changedAt: AT };

testRules(pauseSwitchMachine, {
  events: PAUSE_SWITCH_EVENTS,
  usual: { OPEN: initialPauseSwitch, PAUSED: { changedAt: AT - 9 } },
  rules: {
    OPEN: [{ event: { type: 'PAUSE_ASKED', at: AT }, to: 'PAUSED', context: changed }],
    PAUSED: [{ event: { type: 'RESUME_ASKED', at: AT }, to: 'OPEN', context: changed }],
  },
});
