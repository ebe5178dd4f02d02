import { type ActivityResult, type ActivityScope, LOOK_AGAIN, sendEvent } from './activity.ts';

/**
 * Waits for a purchase whose answer was lost: a callback, or the one scan of the provider's list for all of them
 * (`prediction-scanner.ts`), brings its id. Nothing is sent. A complete scan after the window that does not show it is
 * noted in the row, and then the attempt is lost. Without such a scan it waits on; SCAN_OVERDUE_MS later it is alerted.
 */
export async function reconcilePrediction(scope: ActivityScope): Promise<ActivityResult> {
  const { attempt, ports } = scope;
  if (attempt.context.notListedAt === null) return { waitMs: ports.pollIntervalMs };
  const jitter = ports.chance.jitter();
  await sendEvent(scope, { type: 'WINDOW_PASSED', at: ports.clock.now(), jitter });
  return LOOK_AGAIN;
}
