import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { seedProperty, seedUser } from '../database/seed.ts';
import { MANUAL_EPOCH } from '../manual-time.ts';

/** A feed as its reader leaves it, with its own user. @returns the id of the feed, and of its user */
export async function seedFeed(
  pool: pg.Pool,
  { contactAgents = [], seenAt = MANUAL_EPOCH }: { contactAgents?: readonly string[]; seenAt?: number } = {},
): Promise<{ feedId: string; userId: string }> {
  const feedId = randomUUID();
  const userId = await seedUser(pool, { name: 'Feed', feedUser: true });
  await pool.query(
    `insert into feeds (id, name, profile, "baseUrl", "contactAgents", "userId", status, version, task, failures, "heldDeletions", "heldListings", "lastSeenAt", "createdAt")
     values ($1, $2, 'mls-grid', 'https://feed.example.com', $3, $4, 'WAITING', 1, 'REPLICATE', 0, 0, 0, $5, $5)`,
    [feedId, feedId, contactAgents, userId, new Date(seenAt)],
  );
  return { feedId, userId };
}

/** What the record of a listing says of its firm. */
export const FIRM = {
  listOfficeName: 'Harbor Realty',
  listAgentName: 'Lena Lister',
  listAgentLicense: 'WA-4711',
  attributionContact: '+1 206 555 0188',
};

/** A listing of a feed, written as its reader writes it. */
export function seedFeedListing(
  pool: pg.Pool,
  feed: { feedId: string; userId: string },
  more: Record<string, unknown> = {},
): Promise<string> {
  return seedProperty(pool, {
    ownerAgentId: feed.userId,
    feedId: feed.feedId,
    ...FIRM,
    feedUpdatedAt: new Date(MANUAL_EPOCH),
    ...more,
  });
}
