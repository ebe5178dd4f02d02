/**
 * Claims on fingerprints to make and photos to look up: by the database's clock, and for a minute, so that the work of a
 * killed worker comes back soon. Only the holder of the token writes a result.
 */
export interface Claim {
  /** Changes with every claim. */
  claim: string;
  /** This try, from 1. */
  tries: number;
}

const HELD = `clock_timestamp() + interval '1 minute'`;

/** SQL: the SET of a claim, which counts a try. */
export const claimSet = `SET tries = least(tries + 1, 1000), claim = gen_random_uuid(), "nextTryAt" = ${HELD}`;

/** SQL: the SET of a holder that needs longer. */
export const prolongSet = `SET "nextTryAt" = ${HELD}`;

/** SQL: the SET that gives a claim back. Parameters: milliseconds until the next try, whether this try counts. */
export const releaseSet = (inMs: string, counts: string): string =>
  `SET claim = NULL, "nextTryAt" = clock_timestamp() + ${inMs}::float8 * interval '1 millisecond',
     tries = tries - CASE WHEN ${counts}::boolean THEN 0 ELSE 1 END`;
