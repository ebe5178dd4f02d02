import { initialPauseSwitch, pauseSwitchMachine } from '../../machines/pause-switch.ts';
import { PAUSE_SWITCH_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { testRules } from './rules.ts';

const OLD = '7/00000001';
const NEW = '7/00000002';
const known = { ...initialPauseSwitch, changedAt: AT - 9, server: OLD, trustedAt: AT - 30 };
const gap = { gapFrom: AT - 20, gapUntil: AT - 10 };
const doubted = { ...known, newServer: NEW, certainUntil: AT - 20, ...gap };
const settled = { ...known, changedAt: AT, server: NEW, trustedAt: AT, ...gap };
const seen = (server: string, wasSilent = false) =>
  ({ type: 'SERVER_SEEN', at: AT, server, wasSilent, certainUntil: AT - 3 }) as const;

testRules(pauseSwitchMachine, {
  events: PAUSE_SWITCH_EVENTS,
  usual: { OPEN: known, CHECKING: doubted, UNCERTAIN: doubted, PAUSED: known },
  rules: {
    OPEN: [
      { event: { type: 'PAUSE_ASKED', at: AT }, to: 'PAUSED', context: { ...known, changedAt: AT } },
      {
        event: seen(NEW),
        to: 'CHECKING',
        context: {
          ...known,
          changedAt: AT,
          newServer: NEW,
          certainUntil: AT - 3,
          gapFrom: AT - 3,
          gapUntil: AT,
        },
      },
      { event: seen(OLD), to: null },
      { given: { ...known, ...gap }, event: { type: 'GAP_LOOKED_AT', at: AT }, to: 'OPEN', context: known },
      { event: { type: 'GAP_LOOKED_AT', at: AT }, when: 'without a gap', to: null },
      {
        event: seen(OLD, true),
        when: 'the same after a silence',
        to: 'CHECKING',
        context: {
          ...known,
          changedAt: AT,
          newServer: OLD,
          certainUntil: AT - 3,
          gapFrom: AT - 3,
          gapUntil: AT,
        },
      },
      {
        given: initialPauseSwitch,
        when: 'the first',
        event: seen(OLD),
        to: 'OPEN',
        context: { ...initialPauseSwitch, server: OLD, trustedAt: AT },
      },
      {
        given: initialPauseSwitch,
        when: 'the first, and it was promoted',
        event: seen(NEW, true),
        to: 'CHECKING',
        context: {
          ...initialPauseSwitch,
          changedAt: AT,
          newServer: NEW,
          certainUntil: AT - 3,
          gapFrom: AT - 3,
          gapUntil: AT,
        },
      },
    ],
    CHECKING: [
      {
        event: { type: 'CHECK_PASSED', at: AT, server: NEW, adopted: 1, forgotten: [] },
        to: 'OPEN',
        context: settled,
      },
      { event: { type: 'CHECK_PASSED', at: AT, server: OLD, adopted: 1, forgotten: [] }, to: null },
      {
        event: { type: 'GAP_TOO_LONG', at: AT, server: NEW },
        to: 'UNCERTAIN',
        context: { ...doubted, changedAt: AT },
      },
      { event: { type: 'GAP_TOO_LONG', at: AT, server: OLD }, when: 'of an earlier server', to: null },
      { event: { type: 'PAUSE_ASKED', at: AT }, to: 'PAUSED', context: { ...known, changedAt: AT, ...gap } },
      {
        given: { gapFrom: null, gapUntil: null },
        event: { type: 'GAP_LOOKED_AT', at: AT },
        when: 'without a gap',
        to: null,
      },
      {
        event: { type: 'GAP_LOOKED_AT', at: AT },
        to: 'CHECKING',
        context: { gapFrom: null, gapUntil: null },
      },
      { event: seen(NEW), to: null },
      { event: seen(NEW, true), when: 'still silent', to: null },
      // Promoted again: the comparison starts again, from the earlier instant.
      {
        event: seen('7/00000003'),
        to: 'CHECKING',
        context: { ...doubted, changedAt: AT, newServer: '7/00000003', gapUntil: AT },
      },
    ],
    UNCERTAIN: [
      { event: { type: 'RESUME_ASKED', at: AT }, to: 'OPEN', context: settled },
      {
        given: { gapFrom: null, gapUntil: null },
        event: { type: 'GAP_LOOKED_AT', at: AT },
        when: 'without a gap',
        to: null,
      },
      {
        event: { type: 'GAP_LOOKED_AT', at: AT },
        to: 'UNCERTAIN',
        context: { gapFrom: null, gapUntil: null },
      },
      { event: seen(NEW), to: null },
      {
        event: seen('7/00000003'),
        to: 'UNCERTAIN',
        context: { ...doubted, changedAt: AT, newServer: '7/00000003', gapUntil: AT },
      },
    ],
    PAUSED: [
      { event: { type: 'RESUME_ASKED', at: AT }, to: 'OPEN', context: { ...known, changedAt: AT } },
      { event: { type: 'GAP_LOOKED_AT', at: AT }, when: 'without a gap', to: null },
      {
        given: gap,
        event: { type: 'GAP_LOOKED_AT', at: AT },
        to: 'PAUSED',
        context: { gapFrom: null, gapUntil: null },
      },
      { event: seen(NEW), to: null },
      {
        given: initialPauseSwitch,
        when: 'the first',
        event: seen(OLD),
        to: 'PAUSED',
        context: { ...initialPauseSwitch, server: OLD, trustedAt: AT },
      },
      {
        given: initialPauseSwitch,
        when: 'the first, and it was promoted',
        event: seen(NEW, true),
        to: null,
      },
    ],
  },
});
