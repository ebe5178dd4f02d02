import { z } from 'zod';
import { MAX_REPORT_NOTE, MAX_REPORTED_PICTURES } from '../../machines/limits.ts';
import { MISMATCH_REPORT_STATUSES, WITHDRAWERS } from '../../machines/vocabulary.ts';
import type { OwnReport, ReportForAgent } from '../../persistence/listings/mismatch-reports.ts';
import { imageUrl } from './images.ts';
import { keysetPaging } from './keyset-cursor.ts';
import { instant, iso, pageOutput, paragraphs, uuid, viewOf } from './text.ts';

/** Shapes of reports that staged pictures did not match the home (docs/contract.md#mismatch-reports). */
export const reportMismatchInput = z.strictObject({
  tourId: uuid,
  imageIds: z.array(uuid).min(1).max(MAX_REPORTED_PICTURES),
  note: paragraphs(MAX_REPORT_NOTE).nullable().default(null),
});
export const listReportsInput = z.strictObject({
  propertyId: uuid,
  status: z.enum(MISMATCH_REPORT_STATUSES).optional(),
  ...keysetPaging,
});
export const answerReportInput = z.strictObject({
  reportId: uuid,
  answer: z.enum(['acknowledge', 'withdraw']),
});

/** A report of the caller. */
export const mismatchReport = z.object({
  reportId: z.string(),
  imageId: z.string(),
  note: z.string().nullable(),
  status: z.enum(MISMATCH_REPORT_STATUSES),
  createdAt: instant,
  answeredAt: instant.nullable(),
});
export const reportMismatchOutput = z.object({ reports: z.array(mismatchReport) });

/** A report for an agent of the listing. It does not name its author, whom the tour shows. */
export const listingReport = mismatchReport.extend({
  tourId: z.string(),
  propertyId: z.string(),
  /** Null when the picture was deleted. */
  url: z.string().nullable(),
  /** Of the picture: null unless the public is kept from it. */
  withdrawnAt: instant.nullable(),
  withdrawnBy: z.enum(WITHDRAWERS).nullable(),
});
export const listReportsOutput = pageOutput(listingReport);

export function toReport(report: OwnReport): z.output<typeof mismatchReport> {
  return viewOf(mismatchReport, {
    ...report,
    createdAt: iso(report.createdAt),
    answeredAt: iso(report.answeredAt),
  });
}

export function toListingReport(
  report: ReportForAgent,
  publicBaseUrl: string,
): z.output<typeof listingReport> {
  return viewOf(listingReport, {
    ...report,
    url: report.hasPicture ? imageUrl(publicBaseUrl, report.imageId) : null,
    createdAt: iso(report.createdAt),
    answeredAt: iso(report.answeredAt),
    withdrawnAt: iso(report.withdrawnAt),
  });
}
