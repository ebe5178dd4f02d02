import type { Pool } from 'pg';
import { toMillis } from '../database/instants.ts';

/** A feed whose listings may be on the pages. */
export interface ShownFeed {
  readonly profile: string;
  /** When all of it was seen last; null before the first time. */
  readonly seenAt: number | null;
}

/** More feeds than an installation has. */
const MOST_FEEDS = 50;

/** The feeds that have listings, by their names. */
export async function shownFeeds(pool: Pool): Promise<ShownFeed[]> {
  const { rows } = await pool.query<{ profile: string; lastSeenAt: Date | null }>(
    `SELECT f.profile, f."lastSeenAt" FROM feeds f
     WHERE EXISTS (SELECT FROM properties p WHERE p."feedId" = f.id) ORDER BY f.name LIMIT ${MOST_FEEDS}`,
  );
  return rows.map(({ profile, lastSeenAt }) => ({
    profile,
    seenAt: lastSeenAt === null ? null : toMillis(lastSeenAt),
  }));
}
