/** All limits of reading from standbys (`standbys.ts`). Milliseconds. */

/** A standby is read only while it certainly has everything that was committed this long ago. */
export const MAX_STALENESS_MS = 1_000;
/** How often each process sees to it that the heartbeat moves. */
export const BEAT_MS = 250;
/** A younger heartbeat is left alone. Less than `BEAT_MS`, so that no beat is left out because it came early. */
export const BEAT_SPACING_MS = 200;
/** How often each process looks at a standby. */
export const LOOK_MS = 100;
/** A look or a beat that takes longer has failed. */
const LOOK_PATIENCE_MS = 500;
export const LOOK_PATIENCE = {
  connectMs: LOOK_PATIENCE_MS,
  statementMs: LOOK_PATIENCE_MS,
  answerMs: LOOK_PATIENCE_MS,
};
/** A standby that failed is left alone for this long. */
export const PAUSE_MS = 1_000;
/** For a connection to a standby and for a statement there; afterwards the primary is asked. */
export const READ_PATIENCE = { connectMs: 500, statementMs: 2_000, answerMs: 2_000 };
