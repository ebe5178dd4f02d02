import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import { type LedgerEntry, purchases } from '../../simulator/control-client.ts';
import type { DemoJob, Refused } from './job.ts';

/** The provider's ledger compared with the platform's. */
export interface LedgerSummary {
  attempts: number;
  purchases: number;
  boughtTwice: number;
  /** Purchases of this run without an attempt. */
  unknownPurchases: number;
  neverBought: number;
}

/** One expectation, and whether it holds. */
export interface Check {
  holds: boolean;
  what: string;
}

/**
 * Only purchases after `since` (ms epoch): the provider's ledger in a kept data folder also has those of earlier
 * runs.
 */
export function compareLedger(
  ledger: readonly LedgerEntry[],
  attempts: readonly string[],
  since: number,
): LedgerSummary {
  const bought = purchases(ledger.filter(({ at }) => at >= since));
  const known = new Set(attempts);
  const counts = [...bought].map(([attemptId, list]) => ({ attemptId, count: list.length }));
  return {
    attempts: attempts.length,
    purchases: counts.reduce((sum, { count }) => sum + count, 0),
    boughtTwice: counts.filter(({ count }) => count > 1).length,
    unknownPurchases: counts.filter(({ attemptId }) => !known.has(attemptId)).length,
    neverBought: attempts.filter((attemptId) => !bought.has(attemptId)).length,
  };
}

/** `7 purchases for 7 attempts: nothing was bought twice` */
export function formatLedgerSummary({
  attempts,
  purchases: bought,
  boughtTwice,
  unknownPurchases,
}: LedgerSummary): string {
  const counts = `${plural(bought, 'purchase')} for ${plural(attempts, 'attempt')}`;
  if (boughtTwice + unknownPurchases === 0) return `${counts}: nothing was bought twice`;
  return `${counts}: ${boughtTwice} bought more than once, ${unknownPurchases} that no attempt knows`;
}

/** The expected results of the run, item by item. */
export function judge({
  jobs,
  ledgerSummary,
  document,
  crashed,
}: {
  jobs: readonly DemoJob[];
  ledgerSummary: LedgerSummary;
  crashed: boolean;
  document: Record<string, string>;
}): Check[] {
  const canceled = jobs.filter(({ plan }) => plan === 'cancel');
  const others = jobs.filter(({ plan }) => plan !== 'cancel');
  const done = others.filter(({ seen }) => seen.status === 'SUCCESS');
  const one = (plan: DemoJob['plan'], review: DemoJob['review']) =>
    jobs.filter((job) => job.plan === plan).every((job) => job.review === review);
  return [
    { holds: done.length === others.length, what: `${done.length} of ${others.length} rooms are staged` },
    ...canceled.map((job) => ({
      holds: job.seen.status === 'CANCELED' && job.after === null,
      what: `#${job.number} was canceled while it ran, and there is no picture of it`,
    })),
    {
      holds: one('approve', 'APPROVED') && one('reject', 'REJECTED'),
      what: 'one picture is approved, one rejected, the others wait for a review',
    },
    {
      holds: ledgerSummary.boughtTwice + ledgerSummary.unknownPurchases + ledgerSummary.neverBought === 0,
      what: `${formatLedgerSummary(ledgerSummary)}${crashed ? ', although the worker was killed on the way' : ''}`,
    },
    {
      holds: isPublicRight(jobs, document),
      what: 'the public sees the approved picture, labeled, and no other',
    },
  ];
}

/** Whether the document shows exactly the staged pictures that were approved, each with its label. */
export function isPublicRight(jobs: readonly DemoJob[], document: Record<string, string>): boolean {
  const approved = jobs.filter(({ review }) => review === 'APPROVED').map(({ seen }) => seen.resultImageId);
  const shown = imagesOf(document).filter(({ isStyled }) => isStyled);
  const labeled = shown.every(({ disclosureLabel }) => disclosureLabel === DISCLOSURE_LABEL);
  const ids = new Set(shown.map(({ imageId }) => imageId));
  return labeled && ids.size === approved.length && approved.every((id) => id !== null && ids.has(id));
}

interface PublicImage {
  imageId: string;
  isStyled: boolean;
  disclosureLabel: string | null;
}

function imagesOf({ images }: Record<string, string>): PublicImage[] {
  return images === undefined ? [] : (JSON.parse(images) as PublicImage[]);
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The result of a run, for the contact sheets and `result.json`. */
export interface RunResult {
  /** When the jobs were submitted, ms since the epoch. */
  startedAt: number;
  crashed: boolean;
  jobs: readonly DemoJob[];
  refused: readonly Refused[];
  checks: readonly Check[];
  ledgerSummary: { attempts: number; purchases: number };
  /** The ledger in a sentence. */
  ledgerText: string;
}
