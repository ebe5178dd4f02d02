import { reportsOfListing } from '../../../persistence/listings/mismatch-reports.ts';
import { found } from '../../errors/found.ts';
import { keysetCursor } from '../../wire/keyset-cursor.ts';
import {
  answerReportInput,
  listingReport,
  listReportsInput,
  listReportsOutput,
  reportMismatchInput,
  reportMismatchOutput,
  toListingReport,
  toReport,
} from '../../wire/mismatch-reports.ts';
import { pageOf } from '../../wire/text.ts';
import { agentProcedure, sessionProcedure } from '../base.ts';
import { createMismatchService } from '../mismatch-service.ts';
import type { Services } from '../services.ts';

/** `tours.*` about pictures that did not match the home (docs/contract.md#mismatch-reports). */
export function mismatchProcedures(services: Services) {
  const { pool, settings } = services;
  const reports = createMismatchService(services);
  return {
    reportMismatch: sessionProcedure
      .meta({ errors: ['NOT_FOUND', 'TOUR_NOT_COMPLETED', 'MISMATCH_TOO_LATE', 'NOT_YET_DURABLE'] })
      .input(reportMismatchInput)
      .output(reportMismatchOutput)
      .mutation(async ({ ctx, input }) => {
        const own = await reports.report({ userId: ctx.user.id, ...input });
        return { reports: own.map(toReport) };
      }),
    listMismatchReports: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listReportsInput)
      .output(listReportsOutput)
      .query(async ({ ctx, input: { propertyId, status = null, cursor = null, limit } }) => {
        const asked = { propertyId, agentId: ctx.user.id, status, after: cursor, limit: limit + 1 };
        const page = pageOf(found(await reportsOfListing(pool, asked)), limit, ({ createdAt, reportId }) =>
          keysetCursor({ at: createdAt, id: reportId }),
        );
        return {
          ...page,
          items: page.items.map((report) => toListingReport(report, settings.publicBaseUrl)),
        };
      }),
    answerMismatch: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'MISMATCH_ENDED', 'NOT_YET_DURABLE'] })
      .input(answerReportInput)
      .output(listingReport)
      .mutation(async ({ ctx, input }) =>
        toListingReport(await reports.answer({ userId: ctx.user.id, ...input }), settings.publicBaseUrl),
      ),
  };
}
