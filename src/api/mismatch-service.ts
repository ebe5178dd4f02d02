import type { z } from 'zod';
import {
  type OwnReport,
  type ReportForAgent,
  reportForAgent,
} from '../../persistence/listings/mismatch-reports.ts';
import { tourForParty } from '../../persistence/listings/tour-queries.ts';
import { PublicError } from '../errors/errors.ts';
import { found } from '../errors/found.ts';
import type { answerReportInput, reportMismatchInput } from '../wire/mismatch-reports.ts';
import type { Services } from './services.ts';

type By = { userId: string };

/**
 * A customer's reports after a visit, and the answers of the listing's agents (docs/contract.md#mismatch-reports). The
 * machine decides what may be reported; here its refusals get their error codes.
 */
export function createMismatchService({ pool, clock, chance, actorSystem, search, logger }: Services) {
  /** Anyone but the tour's customer gets the answer for an unknown id, its agents too. */
  const visitOf = async (tourId: string, userId: string) => {
    const tour = await tourForParty(pool, { tourId, userId });
    if (tour?.side !== 'customer') throw new PublicError('NOT_FOUND');
    return tour;
  };
  return {
    /**
     * Reports all of the pictures or none, in one transaction. A picture that the person has reported before stays as
     * it is. Resolves with the person's reports of these pictures.
     */
    async report({ userId, tourId, imageIds, note }: By & z.output<typeof reportMismatchInput>) {
      const { details } = await visitOf(tourId, userId);
      const { propertyId } = details;
      const origin = { by: `user:${userId}` };
      const at = clock.now();
      // Everyone locks pictures in the order of their ids, and all of them before any is changed.
      const ordered = [...new Set(imageIds)].sort();
      await actorSystem.transaction(async ({ tx, deliver }) => {
        for (const id of ordered) await tx.lock('imageReview', id);
        for (const stagedImageId of ordered) {
          const answer = await deliver(
            {
              to: 'newMismatchReport',
              id: chance.id(),
              details: { customerId: userId, tourId, stagedImageId, propertyId, note },
              event: { type: 'REPORTED', at },
            },
            origin,
          );
          if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
          if (answer.outcome !== 'ignored' || answer.version > 0) continue;
          // The rules, in the order in which a person can do something about them.
          const endedAt = await tx.visitEndedAt(tourId, at);
          const image = await tx.lock('imageReview', stagedImageId);
          if (image?.state === 'PENDING_REVIEW') throw new PublicError('NOT_FOUND');
          throw new PublicError(endedAt === null ? 'TOUR_NOT_COMPLETED' : 'MISMATCH_TOO_LATE');
        }
      });
      search.propertyChanged(propertyId);
      logger.info({ event: 'tours.mismatch_reported', tourId, userId, pictures: ordered.length }, 'reported');
      const { mismatchReports } = await visitOf(tourId, userId);
      return mismatchReports.filter(({ imageId }: OwnReport) => ordered.includes(imageId));
    },
    /** The answer that a report has already is a success that changes nothing. */
    async answer({
      userId,
      reportId,
      answer,
    }: By & z.output<typeof answerReportInput>): Promise<ReportForAgent> {
      const read = async () => found(await reportForAgent(pool, { reportId, agentId: userId }));
      const { imageId, propertyId } = await read();
      const origin = { by: `user:${userId}` };
      const event = { at: clock.now(), byUserId: userId };
      const isWithdrawal = answer === 'withdraw';
      await actorSystem.transaction(async ({ tx, deliver }) => {
        // The picture before its report, as everywhere. It may be gone, with its reports closed.
        await tx.lock('imageReview', imageId);
        const report = await tx.lock('mismatchReport', reportId);
        if (report?.state !== 'OPEN') return;
        const type = isWithdrawal ? 'PICTURE_WITHDRAWN' : 'REPORT_ACKNOWLEDGED';
        await deliver({ to: 'mismatchReport', id: reportId, event: { ...event, type } }, origin);
        // Ends the other open reports of the picture, too. A withdrawn picture stays as it is.
        if (isWithdrawal)
          await deliver(
            { to: 'imageReview', id: imageId, event: { ...event, type: 'WITHDRAW', by: 'AGENT' } },
            origin,
          );
      });
      if (isWithdrawal) search.propertyChanged(propertyId);
      const report = await read();
      if (report.status !== (isWithdrawal ? 'UPHELD' : 'ACKNOWLEDGED'))
        throw new PublicError('MISMATCH_ENDED');
      logger.info({ event: 'tours.mismatch_answered', reportId, imageId, userId, answer }, 'answered');
      return report;
    },
  };
}
