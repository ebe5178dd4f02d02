import { logSecurityEvent, type SecurityLog } from '../security-events.ts';
import { createRejectionLog } from './rejection-log.ts';

/** Who was refused, as far as it is known. */
interface Refused {
  readonly userId: string | null;
  /** A /24 or /48. */
  readonly network: string | null;
}

/** Logs calls that a rate limit refused, at most one in ten seconds for each rule (docs/contract.md#security-events). */
export function createRateLimitLog(logger: SecurityLog, now: () => number = () => performance.now()) {
  const lines = {
    warn: (fields: object) => logSecurityEvent(logger, 'RATE_LIMITED', fields as Refused & { rule: string }),
  };
  const rejections = createRejectionLog(lines, now, 'rate limited');
  return {
    /** @param rule from a closed set, because each is kept until the process ends */
    note: (rule: string, refused: Refused): void => rejections.note(rule, { rule, ...refused }),
  };
}
