import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';

/** How old the last complete look at the feeds of a profile may be. */
export interface FeedAge {
  readonly profile: string;
  /** Feeds whose last look, or creation without one, was before this instant are too old. */
  readonly before: number;
}

/**
 * Hides listings of feeds that were not seen for too long, and shows those of feeds that were seen again, at most
 * `limit`. Whether the feed's own rule hides a listing stays as it is: that is another reason.
 * @returns how many have changed
 */
export async function followFeedAges(
  pool: Pool,
  { ages, limit }: { ages: readonly FeedAge[]; limit: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `WITH aged AS (
       SELECT f.id, coalesce(f."lastSeenAt", f."createdAt") < a.before AS "isOld"
       FROM feeds f JOIN unnest($1::text[], $2::timestamptz[]) AS a (profile, before) ON a.profile = f.profile),
     due AS (
       SELECT p.id, aged."isOld" FROM properties p JOIN aged ON aged.id = p."feedId"
       WHERE aged."isOld" <> ('FEED_TOO_OLD' = ANY (p."hiddenFor")) ORDER BY p.id LIMIT $3 FOR NO KEY UPDATE OF p)
     UPDATE properties p SET "hiddenFor" = array_remove(p."hiddenFor", 'FEED_TOO_OLD')
       || CASE WHEN due."isOld" THEN ARRAY['FEED_TOO_OLD'] ELSE '{}' END
     FROM due WHERE p.id = due.id`,
    [ages.map(({ profile }) => profile), ages.map(({ before }) => toDate(before)), limit],
  );
  return rowCount ?? 0;
}
