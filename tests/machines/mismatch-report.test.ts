import { MISMATCH_REPORT_MS } from '../../machines/limits.ts';
import {
  type MismatchReportContext,
  type MismatchReportEvent,
  mismatchReportMachine,
  unmadeReport,
} from '../../machines/mismatch-report.ts';
import { IDS, MISMATCH_REPORT_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { type Rule, testRules } from './rules.ts';

/** Who may report a picture, and what ends a report. */
type ReportRule = Rule<MismatchReportContext, MismatchReportEvent>;
const LATER = AT + 1;
const made = { ...unmadeReport, createdAt: AT };
const reported = (more: object = {}): MismatchReportEvent => ({
  type: 'REPORTED',
  at: AT,
  completedAt: AT,
  wasPublic: true,
  ...more,
});
const answered = (answeredByUserId: string | null) => ({ answeredAt: LATER, answeredByUserId });
const unmade = (when: string, more: object, at: number | null = null): ReportRule => ({
  event: reported(more),
  when,
  given: unmadeReport,
  to: at === null ? null : 'OPEN',
  ...(at === null ? {} : { context: { createdAt: at } }),
});

testRules(mismatchReportMachine, {
  events: MISMATCH_REPORT_EVENTS,
  usual: {
    OPEN: made,
    ACKNOWLEDGED: { ...made, ...answered(IDS.user) },
    UPHELD: { ...made, ...answered(IDS.user) },
    CLOSED: { ...made, ...answered(null) },
  },
  rules: {
    OPEN: [
      unmade('of a completed visit, about a public picture', {}, AT),
      unmade('thirty days after the visit', { at: AT + MISMATCH_REPORT_MS }, AT + MISMATCH_REPORT_MS),
      unmade('later than that', { at: AT + MISMATCH_REPORT_MS + 1 }),
      unmade('of a visit that is not completed', { completedAt: null }),
      unmade('about a picture that the public never saw', { wasPublic: false }),
      { event: reported(), when: 'again', to: null },
      {
        event: { type: 'REPORT_ACKNOWLEDGED', at: LATER, byUserId: IDS.user },
        to: 'ACKNOWLEDGED',
        context: answered(IDS.user),
      },
      {
        event: { type: 'PICTURE_WITHDRAWN', at: LATER, byUserId: IDS.user },
        when: 'by a person',
        to: 'UPHELD',
        context: answered(IDS.user),
      },
      {
        event: { type: 'PICTURE_WITHDRAWN', at: LATER, byUserId: null },
        when: 'by the reports',
        to: 'UPHELD',
        context: answered(null),
      },
      { event: { type: 'WITHDRAWAL_LIFTED', at: LATER }, to: 'CLOSED', context: answered(null) },
      { event: { type: 'REPORTS_DISMISSED', at: LATER }, to: 'CLOSED', context: answered(null) },
      { event: { type: 'PICTURE_DELETED', at: LATER }, to: 'CLOSED', context: answered(null) },
    ],
    ACKNOWLEDGED: [
      {
        event: { type: 'PICTURE_WITHDRAWN', at: LATER, byUserId: null },
        when: 'by an operator',
        to: 'UPHELD',
        context: answered(null),
      },
      {
        event: { type: 'PICTURE_WITHDRAWN', at: LATER, byUserId: IDS.user },
        when: 'by an agent',
        to: null,
      },
      { event: { type: 'WITHDRAWAL_LIFTED', at: LATER }, to: 'CLOSED', context: answered(null) },
      { event: { type: 'REPORTS_DISMISSED', at: LATER }, to: 'CLOSED', context: answered(null) },
    ],
  },
});
