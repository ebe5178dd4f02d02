import type { StagingJobActor } from '../../../persistence/actors/rows/job-row.ts';
import type { Coverage } from './coverage.ts';
import type { Database, JournalRow } from './memory/tables.ts';
import type { Purchase } from './provider.ts';

/** What must hold for the second input of each purchase of a group (I37), and how often each case was met. */

/** What the provider was sent, beside what the journal says about it (I37). */
export function wrongSecondInput(
  { tables, journal }: Database,
  attemptId: string,
  job: StagingJobActor,
): string | null {
  const secondInput = job.details.referenceImageKey;
  if (secondInput === null) return null;
  const told = (why: string) => `I37 attempt ${attemptId} was sent with ${secondInput}, which ${why}`;
  const made = [...tables.providerAttempt.values()].find(({ context }) => context.objectKey === secondInput);
  const maker = made && tables.stagingJob.get(made.jobId);
  if (maker?.kind !== 'stagingJob' || maker.details.groupId !== job.details.groupId)
    return told('is no picture of its group');
  const of = (id: string | null) => journal.filter((row) => row.id === id);
  const picture = of(maker.context.resultImageId);
  const at = (row: JournalRow | undefined) => row?.position ?? Number.POSITIVE_INFINITY;
  const approved = at(picture.find(({ event }) => event.type === 'APPROVE'));
  if (approved > at(of(job.id)[0])) return told('was not approved when its job was submitted');
  if (at(picture.find(({ to }) => to === 'REMOVED')) < at(of(attemptId)[0]))
    return told('was gone before the attempt was reserved');
  const reserved = at(of(attemptId)[0]);
  // It may have been shown again in the meantime, before it was looked for.
  const hidden = picture.findLast((row) => at(row) < reserved)?.to === 'WITHDRAWN';
  if (hidden && !picture.some((row) => at(row) > reserved && row.to === 'APPROVED'))
    return told('was withdrawn before the attempt was reserved');
  return null;
}

/** A job names the second input of the purchase that it has its picture from; its result records that name (I37). */
export function wrongRecords(
  { tables }: Database,
  ledger: readonly Purchase[],
  forgottenClaims: ReadonlySet<string> = new Set(),
): string[] {
  return ledger.flatMap(({ attemptId, textJobId, secondInput }) => {
    const attempt = tables.providerAttempt.get(attemptId);
    const job = tables.stagingJob.get(attempt?.jobId ?? '');
    if (
      forgottenClaims.has(attemptId) ||
      textJobId !== null ||
      attempt?.state !== 'SUCCEEDED' ||
      job?.kind !== 'stagingJob'
    )
      return [];
    const named = job.details.referenceImageKey;
    return named === secondInput
      ? []
      : [`I37 attempt ${attemptId} was sent with ${secondInput}, and its job names ${named}`];
  });
}

/** Counts how the purchases of groups ended. */
export function seeGroups(
  coverage: Pick<Coverage, 'see'>,
  { tables }: Database,
  ledger: readonly Purchase[],
): void {
  for (const { attemptId, secondInput } of ledger) {
    const attempt = tables.providerAttempt.get(attemptId);
    const job = tables.stagingJob.get(attempt?.jobId ?? '');
    if (attempt?.state !== 'SUCCEEDED' || job?.kind !== 'stagingJob' || job.details.groupId === null)
      continue;
    coverage.see(secondInput === null ? 'picture of a group alone' : 'picture with a second input');
  }
}
