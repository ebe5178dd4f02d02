import { setup } from 'xstate';
import { MISMATCH_REPORT_MS } from './limits.ts';

/**
 * The word of one customer about one staged picture after a visit (`mismatch_reports`): the picture did not match the
 * home. It owns who may say so, and what became of the report. Always true: only the customer of a visit reports, within
 * thirty days, and a picture that the public could see; an agent answers once. An acknowledged report counts on until an
 * operator decides. Three open reports of a picture withdraw it (docs/contract.md#mismatch-reports).
 * Source: docs/charts/mismatch-report.md.
 */
export interface MismatchReportContext {
  /** Null before REPORTED; every row has it. */
  createdAt: number | null;
  /** When it was last answered or decided; null while it is open. */
  answeredAt: number | null;
  /** The agent who answered it, or who withdrew the picture; null when no one of the listing did. */
  answeredByUserId: string | null;
}

export type MismatchReportEvent =
  | {
      type: 'REPORTED';
      at: number;
      /** When the visit was over (`tour-visit.ts`); null when there was none. */
      completedAt: number | null;
      /** The picture was approved, so that the public could see it; it may be withdrawn now. */
      wasPublic: boolean;
    }
  | { type: 'REPORT_ACKNOWLEDGED'; at: number; byUserId: string }
  | { type: 'PICTURE_WITHDRAWN'; at: number; byUserId: string | null }
  | { type: 'WITHDRAWAL_LIFTED' | 'REPORTS_DISMISSED'; at: number }
  | { type: 'PICTURE_DELETED'; at: number };

/** The context before REPORTED; no row has it. */
export const unmadeReport: MismatchReportContext = {
  createdAt: null,
  answeredAt: null,
  answeredByUserId: null,
};

const machineSetup = setup({
  types: { context: {} as MismatchReportContext, events: {} as MismatchReportEvent },
  guards: {
    mayBeReported: ({ context, event }) =>
      event.type === 'REPORTED' &&
      context.createdAt === null &&
      event.wasPublic &&
      event.completedAt !== null &&
      event.at <= event.completedAt + MISMATCH_REPORT_MS,
    byOperator: ({ event }) => event.type === 'PICTURE_WITHDRAWN' && event.byUserId === null,
  },
});
const noteReported = machineSetup.assign({ createdAt: ({ event }) => event.at });
const noteAnswered = machineSetup.assign({
  answeredAt: ({ event }) => event.at,
  answeredByUserId: ({ event }) => ('byUserId' in event ? event.byUserId : null),
});

export const mismatchReportMachine = machineSetup.createMachine({
  id: 'mismatchReport',
  context: unmadeReport,
  initial: 'OPEN',
  states: {
    OPEN: {
      description: 'Waits for an answer of an agent of the listing, and counts against the picture.',
      on: {
        REPORTED: { guard: 'mayBeReported', actions: noteReported },
        REPORT_ACKNOWLEDGED: { target: 'ACKNOWLEDGED', actions: noteAnswered },
        PICTURE_WITHDRAWN: { target: 'UPHELD', actions: noteAnswered },
        WITHDRAWAL_LIFTED: { target: 'CLOSED', actions: noteAnswered },
        REPORTS_DISMISSED: { target: 'CLOSED', actions: noteAnswered },
        PICTURE_DELETED: { target: 'CLOSED', actions: noteAnswered },
      },
    },
    ACKNOWLEDGED: {
      description:
        'An agent has read it and the picture stays as it is; it counts until an operator decides.',
      on: {
        PICTURE_WITHDRAWN: { target: 'UPHELD', guard: 'byOperator', actions: noteAnswered },
        WITHDRAWAL_LIFTED: { target: 'CLOSED', actions: noteAnswered },
        REPORTS_DISMISSED: { target: 'CLOSED', actions: noteAnswered },
      },
    },
    UPHELD: { type: 'final', description: 'An agent or an operator withdrew the picture.' },
    CLOSED: {
      type: 'final',
      description: 'An operator decided that the picture may be shown, or the picture is gone.',
    },
  },
});
