/** Minimum time between two log lines about rejections for the same reason. */
const QUIET_MS = 10_000;

/**
 * Logs rejections at a bounded rate, so that a client cannot flood the log. The first rejection for a reason is
 * logged at once; those of the next ten seconds appear only as a number in the next line (`refusedBefore`). One
 * line for each of thousands of forged callbacks per second would cost too much processor time and hide other
 * lines.
 * @param now milliseconds
 */
export function createRejectionLog(
  logger: { warn(fields: object, message: string): void },
  now: () => number,
  message: string,
) {
  const told = new Map<string, { at: number; refusedSince: number }>();
  return {
    /** @param reason from a closed set, because each is kept until the process ends */
    note(reason: string, fields: object): void {
      const [at, last] = [now(), told.get(reason)];
      if (last !== undefined && at - last.at < QUIET_MS) {
        last.refusedSince += 1;
        return;
      }
      told.set(reason, { at, refusedSince: 0 });
      logger.warn({ ...fields, refusedBefore: last?.refusedSince ?? 0 }, message);
    },
  };
}

export type RejectionLog = ReturnType<typeof createRejectionLog>;
