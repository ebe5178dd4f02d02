import type { Pool, PoolClient } from 'pg';
import { MESSAGES_PER_DAY, THREADS_PER_DAY } from '../../machines/limits.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';

/**
 * How much a person adds per day. Always true: concurrent calls never exceed a limit, because each count is one row,
 * changed only while it fits, in the transaction that adds the counted things. Imports do not pass here. Days are those
 * of UTC, by the time of the call. Rows are changed in the order of the limits, so that calls cannot wait for each
 * other in a circle. Without a limit nothing is counted.
 */
export interface GrowthLimits {
  /** Listings of an agent per day; 0 means no limit, here and below. */
  listingsDay: number;
  /** Listings in the first 24 hours as an agent. */
  listingsFirstDay: number;
  /** How long a new agent waits before the first listing. */
  newAgentDelayMinutes: number;
  photosOfListing: number;
  /** Photos of an agent per day, and the megabytes of their files. */
  photosDay: number;
  photoMegabytesDay: number;
  /** Tour requests of a customer per day, and those for one listing. */
  toursDay: number;
  toursOfListingDay: number;
}

/** For what counts against no one, as the homes of the sample town. */
export const NO_GROWTH_LIMITS: GrowthLimits = {
  listingsDay: 0,
  listingsFirstDay: 0,
  newAgentDelayMinutes: 0,
  photosOfListing: 0,
  photosDay: 0,
  photoMegabytesDay: 0,
  toursDay: 0,
  toursOfListingDay: 0,
};

/** The limit that is in the way. */
interface GrowthShortage {
  limit: number;
  used: number;
  /** Null when waiting frees nothing. */
  resetsAt: number | null;
  /** The time of the call. */
  at: number;
}

/** Thrown inside the transaction, which must be rolled back: nothing is added or counted. */
export class GrowthLimitReached extends Error {
  override readonly name = 'GrowthLimitReached';
  readonly shortage: GrowthShortage;
  constructor(shortage: GrowthShortage) {
    super('a limit of what a person may add is reached');
    this.shortage = shortage;
  }
}

/** Days are read at most one back. The rest allows for differing clocks. */
export const GROWTH_COUNTS_KEPT_DAYS = 3;

const DAY_MS = 86_400_000;
const MEGABYTE = 1_000_000;
const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

interface Count {
  userId: string;
  what:
    | 'listings'
    | 'firstListings'
    | 'photos'
    | 'photoBytes'
    | 'tours'
    | 'toursOfListing'
    | 'invitations'
    | 'threads'
    | 'messages';
  /** The listing of the count; the person, where it is about all of them. */
  about: string;
  /** Start of the counted time, and its end. */
  since: number;
  until: number;
  at: number;
  /** How much is added. */
  more: number;
  /** 0 means no limit. */
  limit: number;
}

const ADD = `
  INSERT INTO growth_counts AS c ("userId", what, about, since, used) SELECT $1, $2, $3, $4, $5 WHERE $5 <= $6::bigint
  ON CONFLICT ("userId", what, about, since) DO UPDATE SET used = c.used + excluded.used
    WHERE c.used + excluded.used <= $6`;
const USED = `
  SELECT used::float8 FROM growth_counts WHERE "userId" = $1 AND what = $2 AND about = $3 AND since = $4`;

async function add(client: PoolClient, counts: readonly Count[]): Promise<void> {
  for (const count of counts.filter(({ limit }) => limit > 0)) {
    const { userId, what, about, since, more, limit } = count;
    const { rowCount } = await client.query(prepared(ADD, [userId, what, about, toDate(since), more, limit]));
    if (rowCount === 0) throw await reached(client, count);
  }
}

async function reached(db: Pool | PoolClient, count: Count): Promise<GrowthLimitReached> {
  const { limit, until: resetsAt, at } = count;
  return new GrowthLimitReached({ limit, used: await usedOf(db, count), resetsAt, at });
}

async function usedOf(
  db: Pool | PoolClient,
  { userId, what, about, since }: Pick<Count, 'userId' | 'what' | 'about' | 'since'>,
): Promise<number> {
  const { rows } = await db.query<{ used: number }>(prepared(USED, [userId, what, about, toDate(since)]));
  return rows[0]?.used ?? 0;
}

const ofDay = (userId: string, at: number) => ({
  userId,
  about: userId,
  since: dayOf(at),
  until: dayOf(at) + DAY_MS,
  at,
});

const AGENT_SINCE = `
  SELECT coalesce(s."agentSince", u."createdAt") AS "agentSince"
  FROM "user" u LEFT JOIN agent_standings s ON s."agentId" = u.id WHERE u.id = $1`;

/** Counts a new listing. @throws GrowthLimitReached */
export async function countListing(
  client: PoolClient,
  { agentId, at, limits }: { agentId: string; at: number; limits: GrowthLimits },
): Promise<void> {
  const { listingsDay, listingsFirstDay, newAgentDelayMinutes } = limits;
  if (listingsDay + listingsFirstDay + newAgentDelayMinutes === 0) return;
  const { rows } = await client.query<{ agentSince: Instant }>(prepared(AGENT_SINCE, [agentId]));
  const agentSince = rows[0] === undefined ? at : toMillis(rows[0].agentSince);
  const mayBeginAt = agentSince + newAgentDelayMinutes * 60_000;
  if (at < mayBeginAt) throw new GrowthLimitReached({ limit: 0, used: 0, resetsAt: mayBeginAt, at });
  const day: Count = { ...ofDay(agentId, at), what: 'listings', more: 1, limit: listingsDay };
  const until = agentSince + DAY_MS;
  const first: Count = { ...day, what: 'firstListings', since: agentSince, until, limit: listingsFirstDay };
  await add(client, at < until ? [day, first] : [day]);
}

interface NewPhoto {
  agentId: string;
  propertyId: string;
  /** Of the uploaded file. */
  fileBytes: number;
  at: number;
  limits: GrowthLimits;
}

function photoCounts({ agentId, fileBytes, at, limits }: NewPhoto): Count[] {
  const day = ofDay(agentId, at);
  return [
    { ...day, what: 'photos', more: 1, limit: limits.photosDay },
    { ...day, what: 'photoBytes', more: fileBytes, limit: limits.photoMegabytesDay * MEGABYTE },
  ];
}

/** Counts a new photo of a listing, which must be locked. @throws GrowthLimitReached */
export async function countPhoto(client: PoolClient, photo: NewPhoto): Promise<void> {
  await refuseFullListing(client, photo);
  await add(client, photoCounts(photo));
}

const PHOTOS_OF_LISTING = `
  SELECT count(*)::int AS used FROM property_images WHERE "propertyId" = $1 AND NOT "isStyled"`;

/** At most the limit's number of rows of an index is read. */
async function refuseFullListing(db: Pool | PoolClient, { propertyId, limits, at }: NewPhoto): Promise<void> {
  const { photosOfListing: limit } = limits;
  if (limit === 0) return;
  const { rows } = await db.query<{ used: number }>(prepared(PHOTOS_OF_LISTING, [propertyId]));
  const used = rows[0]?.used ?? 0;
  if (used >= limit) throw new GrowthLimitReached({ limit, used, resetsAt: null, at });
}

/**
 * Whether a photo would be refused now, so that its file need not be decoded. Nothing is counted.
 * @throws GrowthLimitReached
 */
export async function requireRoomForPhoto(pool: Pool, photo: NewPhoto): Promise<void> {
  await refuseFullListing(pool, photo);
  for (const count of photoCounts(photo).filter(({ limit }) => limit > 0))
    if ((await usedOf(pool, count)) + count.more > count.limit) throw await reached(pool, count);
}

export type TourLimits = Pick<GrowthLimits, 'toursDay' | 'toursOfListingDay'>;

export interface CountedTour {
  customerId: string;
  propertyId: string;
  at: number;
  limits: TourLimits;
}

/** Counts a requested tour. @throws GrowthLimitReached */
export async function countTour(
  client: PoolClient,
  { customerId, propertyId, at, limits }: CountedTour,
): Promise<void> {
  const day = { ...ofDay(customerId, at), more: 1 };
  await add(client, [
    { ...day, what: 'tours', limit: limits.toursDay },
    { ...day, what: 'toursOfListing', about: propertyId, limit: limits.toursOfListingDay },
  ]);
}

/** Of an agent per day. */
export const INVITATIONS_PER_DAY = 5;

/** Counts an invitation of a colleague. @throws GrowthLimitReached */
export async function countInvitation(
  client: PoolClient,
  { agentId, at }: { agentId: string; at: number },
): Promise<void> {
  await add(client, [{ ...ofDay(agentId, at), what: 'invitations', more: 1, limit: INVITATIONS_PER_DAY }]);
}

/** Counts a message of a person, and the thread that it begins. @throws GrowthLimitReached */
export async function countMessage(
  client: PoolClient,
  { userId, beginsThread, at }: { userId: string; beginsThread: boolean; at: number },
): Promise<void> {
  const day = { ...ofDay(userId, at), more: 1 };
  await add(client, [
    ...(beginsThread ? [{ ...day, what: 'threads' as const, limit: THREADS_PER_DAY }] : []),
    { ...day, what: 'messages', limit: MESSAGES_PER_DAY },
  ]);
}
