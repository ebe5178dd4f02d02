import { ledgerOf } from '../../../ops/simulator/control-client.ts';
import { logged } from '../../support/platform/outcomes.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import { type CoverageCounts, type CoverageGoal, LISTED, noCoverage } from '../simulation/coverage.ts';

/** Observations of the run itself; the others are in the journal, the provider's ledger and the logs. */
export type Witnessed = Extract<
  CoverageGoal,
  | 'crash between SENT and the answer'
  | 'sweep re-delivering after FLUSHALL'
  | 'quarantine entered'
  | 'quarantine left'
  | 'cancel during the put'
>;

/** How often each coverage goal was met (docs/invariants.md#what-a-run-must-have-met). */
export async function countCoverage(
  platform: TestPlatform,
  witnessed: Readonly<Record<Witnessed, number>>,
): Promise<CoverageCounts> {
  return {
    ...noCoverage(),
    ...witnessed,
    ...(await fromJournal(platform)),
    'stale epoch refused': logged(platform).filter(({ outcome }) => outcome === 'stale').length,
    'duplicate webhook ignored': await duplicatesIgnored(platform),
  };
}

/** The simulation's other goals need faults that only it has. */
const GOALS: CoverageGoal[] = [...Object.values(LISTED).flat(), 'picture withdrawn', 'withdrawal lifted'];
export const unseen = (counts: CoverageCounts): CoverageGoal[] => GOALS.filter((what) => counts[what] === 0);

const REVIEWS: Partial<Record<CoverageGoal, string>> = {
  'picture withdrawn': `"eventType" = 'WITHDRAW'`,
  'withdrawal lifted': `"eventType" = 'LIFT'`,
};
const ATTEMPTS: Partial<Record<CoverageGoal, string>> = {
  'UNCONFIRMED resolved by callback': `"fromState" = 'UNCONFIRMED' and "toState" <> "fromState" and "eventType" = 'CALLBACK_RECEIVED'`,
  'UNCONFIRMED resolved by list': `"fromState" = 'UNCONFIRMED' and "eventType" = 'PREDICTION_FOUND'`,
  'UNCONFIRMED and LOST': `"fromState" = 'UNCONFIRMED' and "toState" = 'LOST'`,
  'cancel in SENT': `"fromState" = 'SENT' and "eventType" = 'CANCEL'`,
  'a result losing to a cancel': `"toState" = 'DISCARDED' and "eventType" <> 'OUTPUT_STORED'`,
  'a result losing to another live variant': `"toState" = 'DISCARDED' and "eventType" = 'OUTPUT_STORED'`,
};

async function fromJournal(platform: TestPlatform): Promise<Partial<CoverageCounts>> {
  const count = async (kind: string, goals: Partial<Record<CoverageGoal, string>>) => {
    const columns = Object.entries(goals).map(
      ([what, sql]) => `count(*) filter (where ${sql})::int as "${what}"`,
    );
    const [counts] = await platform.rows<Partial<CoverageCounts>>(
      `select ${columns.join(', ')} from actor_transitions where "actorKind" = $1`,
      [kind],
    );
    return counts;
  };
  const [second] = await platform.rows<{ succeeded: number }>(
    `select count(*)::int as succeeded from ai_provider_attempts where "attemptNumber" = 2 and status = 'SUCCEEDED'`,
  );
  return {
    ...(await count('providerAttempt', ATTEMPTS)),
    ...(await count('imageReview', REVIEWS)),
    'attempt 2 succeeding': second?.succeeded ?? 0,
  };
}

/** Callbacks accepted twice under one id; the receipts hold each id once (I23). */
async function duplicatesIgnored({ provider }: TestPlatform): Promise<number> {
  const taken = (await ledgerOf(provider.baseUrl)).filter(
    (entry) => entry.kind === 'webhook' && entry.httpStatus === 200,
  );
  const byId = Map.groupBy(taken, (entry) => (entry.kind === 'webhook' ? entry.webhookId : ''));
  return [...byId.values()].filter((deliveries) => deliveries.length > 1).length;
}
