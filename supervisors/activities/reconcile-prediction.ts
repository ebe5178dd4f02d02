import { type ActivityResult, type ActivityScope, LOOK_AGAIN, sendEvent } from './activity.ts';

/** Nothing is asked for here, and what changes the row also nudges: a look is only for nudges that were lost. */
const POLLS_PER_LOOK = 6;

/**
 * Waits for a purchase with a lost answer. Its id comes with a callback, or with the one scan of the provider's list
 * for all such purchases (`prediction-scanner.ts`). Nothing is sent. After the window, a complete scan without the
 * purchase is recorded in the row, and then the attempt is lost. Without such a scan it keeps waiting; after
 * SCAN_OVERDUE_MS it alerts.
 */
export async function reconcilePrediction(scope: ActivityScope): Promise<ActivityResult> {
  const { attempt, ports } = scope;
  if (attempt.context.notListedAt === null) return { waitMs: POLLS_PER_LOOK * ports.pollIntervalMs };
  const jitter = ports.chance.jitter();
  await sendEvent(scope, { type: 'WINDOW_PASSED', at: ports.clock.now(), jitter });
  return LOOK_AGAIN;
}
