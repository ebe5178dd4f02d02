import type { CheckedPurchase, PurchaseStanding } from '../../persistence/jobs/purchase-standings.ts';

const MEANING: Record<PurchaseStanding, string> = {
  known: 'known: the database has its prediction',
  recoverable: 'recoverable: the attempt waits for this answer and finds it by itself',
  forgotten: 'forgotten: made after the backup; nothing buys it again unless an agent asks anew',
  'would-repeat': 'WOULD BE BOUGHT AGAIN by an open job',
};
const ORDER: readonly PurchaseStanding[] = ['known', 'recoverable', 'forgotten', 'would-repeat'];

/** The findings and the next steps, as text. */
export function report(checked: readonly CheckedPurchase[]): string {
  const counts = ORDER.map((standing) => {
    const count = checked.filter((one) => one.standing === standing).length;
    return `  ${String(count).padStart(6)}  ${MEANING[standing]}`;
  });
  const repeats = checked.filter(({ standing }) => standing === 'would-repeat');
  const jobIds = [...new Set(repeats.flatMap((one) => one.jobIds))];
  return [
    `${checked.length} purchases since then:`,
    ...counts,
    ...repeats.map(
      ({ predictionId, jobIds: jobs }) => `  prediction ${predictionId}: job ${jobs.join(', ')}`,
    ),
    jobIds.length === 0
      ? 'Nothing would be bought again.'
      : `Cancel these ${jobIds.length} jobs before purchases are switched on:`,
    ...jobIds.map((id) => `  npm run ops -- cancel-job --id ${id} --reason "bought before the restore"`),
    '',
  ].join('\n');
}
