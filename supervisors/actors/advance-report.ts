import { REPORTS_THAT_WITHDRAW } from '../../machines/limits.ts';
import { type MismatchReportContext, mismatchReportMachine } from '../../machines/mismatch-report.ts';
import { firstState, step } from '../../machines/step.ts';
import type { EventOf } from '../../persistence/actors/actor-kinds.ts';
import type { MismatchReportActor } from '../../persistence/actors/rows/mismatch-report-row.ts';
import { advance, type Scope } from './advance-single.ts';
import { signatureOf } from './journal-signature.ts';
import type { Delivery, ReportRequest } from './messages.ts';

const withdrawal = (at: number): EventOf<'imageReview'> => ({ type: 'WITHDRAW', at, by: 'REPORTS' });

/**
 * Makes the report of a picture inside the caller's transaction, and withdraws the picture when enough of its reports
 * are open. The picture's row is locked first, by everyone who reports or answers: so reports that come at once are
 * counted one after the other, and none is missed. Locks are taken in the order picture, report.
 */
export async function openReport(scope: Scope, { id, details, event }: ReportRequest): Promise<Delivery> {
  const { tx, after, origin } = scope;
  const { stagedImageId, customerId, propertyId, tourId } = details;
  const image = await tx.lock('imageReview', stagedImageId);
  if (image?.propertyId !== propertyId) return { outcome: 'missing' };
  const earlier = await tx.findReport({ stagedImageId, customerId });
  if (earlier !== null) {
    after.transition('mismatchReport', event.type, 'ignored');
    return { outcome: 'ignored', state: earlier.state, version: earlier.version };
  }
  const known = {
    ...event,
    completedAt: await tx.visitEndedAt(tourId, event.at),
    wasPublic: image.state !== 'PENDING_REVIEW',
  };
  const unborn = firstState<MismatchReportContext>(mismatchReportMachine);
  const decided = step(mismatchReportMachine, unborn, known);
  after.transition('mismatchReport', event.type, decided.outcome);
  if (decided.outcome === 'ignored') return { outcome: 'ignored', state: unborn.state, version: 0 };
  const actor: MismatchReportActor = { kind: 'mismatchReport', id, version: 1, ...decided.next, details };
  const { state } = actor;
  const entry = { kind: 'mismatchReport', id, seq: 1, event: known, from: null, to: state } as const;
  await tx.create({ actor, entry: { ...entry, leaseEpoch: null, ...signatureOf(origin) } });
  const open = (await tx.undecidedReportsOf(stagedImageId)).filter((report) => report.state === 'OPEN');
  // Further reports find it withdrawn, and change nothing there.
  if (open.length >= REPORTS_THAT_WITHDRAW) await advance(scope, image, withdrawal(event.at));
  return { outcome: 'applied', state, version: 1 };
}
