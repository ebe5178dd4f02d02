import { describe, expect, test } from 'vitest';
import { MISMATCH_REPORT_MS } from '../../machines/limits.ts';
import {
  type MismatchReportContext,
  type MismatchReportEvent,
  mismatchReportMachine,
  unmadeReport,
} from '../../machines/mismatch-report.ts';
import { type ActorState, step } from '../../machines/step.ts';
import { IDS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';

/** Who may report a picture, and what ends a report. */
const reported = (more: object = {}): MismatchReportEvent => ({
  type: 'REPORTED',
  at: AT,
  completedAt: AT,
  wasPublic: true,
  ...more,
});
const from = (state: string): ActorState<MismatchReportContext> => ({
  state,
  context: { ...unmadeReport, createdAt: AT },
});
const unmade = { state: 'OPEN', context: unmadeReport };
const said = (event: MismatchReportEvent, current = from('OPEN')) =>
  step(mismatchReportMachine, current, event);

describe('a report is made', () => {
  test('of a completed visit, about a picture that was public', () => {
    const made = said(reported(), unmade);
    expect(made).toMatchObject({ outcome: 'applied', next: { state: 'OPEN', context: { createdAt: AT } } });
    expect(made).toMatchObject({ effects: [], final: false });
  });
  test('up to thirty days after the visit', () => {
    expect(said(reported({ at: AT + MISMATCH_REPORT_MS }), unmade).outcome).toBe('applied');
    expect(said(reported({ at: AT + MISMATCH_REPORT_MS + 1 }), unmade).outcome).toBe('ignored');
  });
  test.each([
    ['the visit is not completed', { completedAt: null }],
    ['the public never saw the picture', { wasPublic: false }],
  ])('not when %s', (_why, more) => {
    expect(said(reported(more), unmade).outcome).toBe('ignored');
  });
  test('once', () => {
    expect(said(reported()).outcome).toBe('ignored');
  });
});

const LATER = AT + 1;
const ENDS = [
  [{ type: 'REPORT_ACKNOWLEDGED', at: LATER, byUserId: IDS.user }, 'ACKNOWLEDGED', IDS.user],
  [{ type: 'PICTURE_WITHDRAWN', at: LATER, byUserId: IDS.user }, 'UPHELD', IDS.user],
  [{ type: 'PICTURE_WITHDRAWN', at: LATER, byUserId: null }, 'UPHELD', null],
  [{ type: 'WITHDRAWAL_LIFTED', at: LATER }, 'CLOSED', null],
  [{ type: 'PICTURE_DELETED', at: LATER }, 'CLOSED', null],
] as const;

describe('a report ends', () => {
  test.each(ENDS)('%o leads to %s', (event, state, answeredByUserId) => {
    expect(said(event)).toMatchObject({
      outcome: 'applied',
      final: true,
      next: { state, context: { createdAt: AT, answeredAt: LATER, answeredByUserId } },
    });
  });
  test.each(['ACKNOWLEDGED', 'UPHELD', 'CLOSED'])('once: %s ignores every event', (state) => {
    for (const [event] of ENDS) expect(said(event, from(state)).outcome).toBe('ignored');
    expect(said(reported(), from(state)).outcome).toBe('ignored');
  });
});
