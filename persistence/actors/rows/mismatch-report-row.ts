import { type MismatchReportContext, mismatchReportMachine } from '../../../machines/mismatch-report.ts';
import { MISMATCH_REPORT_STATUSES } from '../../../machines/vocabulary.ts';
import {
  type ActorKindDefinition,
  fixed,
  instant,
  plain,
  record,
  rowsOfTable,
  type StoredActor,
} from '../actor-kind.ts';

export interface MismatchReportActor extends StoredActor<'mismatchReport', MismatchReportContext> {
  details: MismatchReportDetails;
}
/** The details of a report, fixed when it is made. The note goes when its author deletes their account. */
export interface MismatchReportDetails {
  customerId: string;
  tourId: string;
  stagedImageId: string;
  propertyId: string;
  note: string | null;
}

/** One row of `mismatch_reports`: at most one a picture and person. */
export const mismatchReportKind: ActorKindDefinition<MismatchReportActor, typeof mismatchReportMachine> = {
  kind: 'mismatchReport',
  machine: mismatchReportMachine,
  file: 'mismatch-report',
  effects: [],
  keptIn: '`mismatch_reports.status`',
  rows: rowsOfTable<MismatchReportActor>('mismatchReport', {
    table: 'mismatch_reports',
    context: { createdAt: fixed(instant), answeredAt: instant, answeredByUserId: plain },
    beside: {
      details: fixed(
        record<MismatchReportDetails>({
          customerId: plain,
          tourId: plain,
          stagedImageId: plain,
          propertyId: plain,
          note: plain,
        }),
      ),
    },
  }),
  endedAt: 'answeredAt',
  list: {
    status: { column: 't.status', type: 'mismatch_report_status', values: MISMATCH_REPORT_STATUSES },
    createdAt: 't."createdAt"',
    columns: { propertyId: 't."propertyId"' },
    narrow: { property: (id) => `t."propertyId" = ${id}` },
    failed: [],
  },
  label: { one: 'Mismatch report', many: 'Mismatch reports' },
  foundBy: { report: 'id' },
  page: {
    beside: {},
    createdAt: 't."createdAt"',
    // Not the note: it is the customer's text.
    facts: ({ context, details: { propertyId, stagedImageId, tourId, customerId } }) => ({
      Listing: { listing: propertyId },
      Picture: { actor: { kind: 'imageReview', id: stagedImageId } },
      Tour: { actor: { kind: 'tour', id: tourId } },
      Customer: { code: `user:${customerId}` },
      Ended: context.answeredAt === null ? null : { instant: context.answeredAt },
      'Answered by': context.answeredByUserId === null ? null : { code: `user:${context.answeredByUserId}` },
    }),
    wait: ({ state }) =>
      state === 'OPEN'
        ? { word: 'agent', sentence: 'Waits for an answer of an agent of the listing.', person: false }
        : null,
  },
};
