/** How many rows of each kind an installation holds. */
export interface Amounts {
  readonly listings: number;
  /** Finished staging jobs, each with its attempt, picture, text of the order and journal. */
  readonly jobs: number;
  /** Journal rows of other actors, beside those of the jobs. */
  readonly journal: number;
}

/** What is loaded, what is only computed from it, and why. */
export interface ScalePlan {
  readonly loaded: Amounts;
  readonly wanted: Amounts;
  /** Bytes that the rows will take on disk, with the room that sorted builds of indexes need. */
  readonly bytes: number;
  readonly free: number;
}

/**
 * Bytes a row with its indexes, rounded up. They only decide whether the disk is large enough; the report measures.
 */
const BYTES: Readonly<Record<keyof Amounts, number>> = { listings: 2_300, jobs: 7_000, journal: 400 };
/** Sorted builds of indexes write what they sort once, and the log of changes takes its own share. */
const BUILD = 1.5;
/** Of the free disk: other programs live there, too. */
const SHARE = 0.8;

/** @param free bytes of disk where the cluster will lie */
export function planScale(wanted: Amounts, free: number): ScalePlan {
  const needed = bytesOf(wanted);
  const part = Math.min(1, (free * SHARE) / needed);
  const loaded: Amounts =
    part === 1
      ? wanted
      : {
          listings: Math.floor(wanted.listings * part),
          jobs: Math.floor(wanted.jobs * part),
          journal: Math.floor(wanted.journal * part),
        };
  return { loaded, wanted, bytes: bytesOf(loaded), free };
}

function bytesOf({ listings, jobs, journal }: Amounts): number {
  return BUILD * (listings * BYTES.listings + jobs * BYTES.jobs + journal * BYTES.journal);
}
