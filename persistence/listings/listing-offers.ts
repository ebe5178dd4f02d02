import type { Pool, PoolClient } from 'pg';
import { OPEN_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { named, oneOf } from '../database/sql-values.ts';
import type { OfferKind, OfferStatus, StandardStatus } from '../entities/values.ts';
import { mayAct } from './agent-access.ts';
import { deleteAgent, lockForAgents, MAX_ASSIGNED_AGENTS, type Standing } from './listing-agents.ts';

/**
 * Offers of listings (docs/contract.md#offers). Always true: an open offer comes from the present owner of its listing,
 * and each (listing, kind, person) has at most one. An ended offer never changes. Every decision locks the listing,
 * then the agent's account, then the offer, so no listing goes to an account that is being deleted, and of two
 * decisions about one offer the second finds it ended.
 */
export const OFFER_DAYS = 14;
const OFFER_MS = OFFER_DAYS * 24 * 3_600_000;

/** Offers that led to nothing are removed this long after their end. */
export const ENDED_OFFERS_KEPT_DAYS = 90;

export interface NewOffer {
  propertyId: string;
  callerId: string;
  agentId: string;
  kind: OfferKind;
  at: number;
}

export type OfferOutcome =
  | { outcome: 'offered'; offerId: string }
  | { outcome: Exclude<Standing, 'owner'> | 'not-an-agent' | 'is-one-already' | 'too-many' };

/** Makes the offer, or finds the open one. */
export function offerListing(pool: Pool, offer: NewOffer): Promise<OfferOutcome> {
  const { propertyId, callerId, agentId, kind } = offer;
  return inTransaction(pool, async (client) => {
    const standing = await lockForAgents(client, offer);
    if (standing !== 'owner') return { outcome: standing };
    if (!(await holdAgent(client, agentId))) return { outcome: 'not-an-agent' };
    if (agentId === callerId) return { outcome: 'is-one-already' };
    await client.query(`${EXPIRE} AND "propertyId" = $2`, [toDate(offer.at), propertyId]);
    const { rows } = await client.query<{ isAssigned: boolean; others: number; openId: string | null }>(
      `SELECT EXISTS (SELECT FROM property_agents WHERE "propertyId" = $1 AND "agentId" = $2) AS "isAssigned",
         ((SELECT count(*) FROM property_agents WHERE "propertyId" = $1 AND "agentId" <> $2)
           + (SELECT count(*) FROM listing_offers WHERE "propertyId" = $1 AND "toAgentId" <> $2
              AND status = 'OPEN'))::int AS others,
         (SELECT id FROM listing_offers WHERE "propertyId" = $1 AND "toAgentId" = $2 AND kind = $3
          AND status = 'OPEN') AS "openId"`,
      [propertyId, agentId, kind],
    );
    const { isAssigned = false, others = 0, openId = null } = rows[0] ?? {};
    if (openId !== null) return { outcome: 'offered', offerId: openId };
    if (isAssigned && kind === 'ASSIGNMENT') return { outcome: 'is-one-already' };
    if (others >= MAX_ASSIGNED_AGENTS) return { outcome: 'too-many' };
    const [offerId = ''] = await insertOffers(client, { ...offer, agentIds: [agentId] });
    return { outcome: 'offered', offerId };
  });
}

/** Offers the listing to each agent but the caller. The caller holds the listing's lock, or has just made it. */
export async function insertOffers(
  client: PoolClient,
  offer: Omit<NewOffer, 'agentId'> & { agentIds: readonly string[] },
): Promise<string[]> {
  const { at, ...rest } = offer;
  const { rows } = await client.query<{ id: string }>(
    named(
      `INSERT INTO listing_offers ("propertyId", kind, "fromAgentId", "toAgentId", "createdAt", "expiresAt")
       SELECT :propertyId, :kind, :callerId, agent, :at, :expiresAt
       FROM (SELECT DISTINCT unnest(:agentIds::uuid[]) AS agent) agents WHERE agent <> :callerId
       RETURNING id`,
      { ...rest, at: toDate(at), expiresAt: toDate(at + OFFER_MS) },
    ),
  );
  return rows.map(({ id }) => id);
}

export interface OfferCall {
  offerId: string;
  callerId: string;
  at: number;
}

export type OfferDecision =
  | 'decided'
  /** Neither of the two agents. */
  | 'missing'
  /** The other agent's decision. */
  | 'not-yours'
  /** The offer has ended in another way. */
  | 'ended'
  /** The listing has as many assigned agents as it may have. */
  | 'too-many';

/**
 * Accepts or declines. With an accepted ownership, the former owner stays assigned if `keepFormerOwner`, and every
 * other open offer of the listing is withdrawn, because it came from the former owner.
 */
export function answerOffer(
  pool: Pool,
  call: OfferCall & { accept: boolean; keepFormerOwner: boolean },
): Promise<OfferDecision> {
  const status = call.accept ? 'ACCEPTED' : 'DECLINED';
  return decide(pool, { ...call, side: 'toAgentId', status }, async (client, offer) => {
    if (!call.accept) return 'decided';
    const { propertyId, kind, fromAgentId, toAgentId: agentId } = offer;
    const stays = kind === 'ASSIGNMENT' ? agentId : call.keepFormerOwner ? fromAgentId : null;
    if (stays !== null) {
      const { rowCount } = await client.query(
        `SELECT FROM property_agents WHERE "propertyId" = $1 AND "agentId" NOT IN ($2, $3)`,
        [propertyId, agentId, stays],
      );
      if ((rowCount ?? 0) >= MAX_ASSIGNED_AGENTS) return 'too-many';
    }
    if (kind === 'OWNERSHIP') await deleteAgent(client, { propertyId, agentId });
    if (stays !== null)
      await client.query(
        `INSERT INTO property_agents ("propertyId", "agentId", "assignedAt") VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING`,
        [propertyId, stays, toDate(call.at)],
      );
    return 'decided';
  });
}

/** Takes the offer back. */
export const withdrawOffer = (pool: Pool, call: OfferCall): Promise<OfferDecision> =>
  decide(pool, { ...call, side: 'fromAgentId', status: 'WITHDRAWN' }, async () => 'decided');

interface OfferRow {
  propertyId: string;
  kind: OfferKind;
  fromAgentId: string;
  toAgentId: string;
}
interface Decision extends OfferCall {
  side: 'fromAgentId' | 'toAgentId';
  status: Exclude<OfferStatus, 'OPEN' | 'EXPIRED'>;
}

/** Ends an open offer with what follows from it, in one transaction. A repeat of the same decision changes nothing. */
function decide(
  pool: Pool,
  { offerId, callerId, side, status, at }: Decision,
  follow: (client: PoolClient, offer: OfferRow) => Promise<'decided' | 'too-many'>,
): Promise<OfferDecision> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<OfferRow>(
      `SELECT "propertyId", kind, "fromAgentId", "toAgentId" FROM listing_offers
       WHERE id = $1 AND $2::uuid IN ("fromAgentId", "toAgentId")`,
      [offerId, callerId],
    );
    const [offer] = rows;
    if (offer === undefined) return 'missing';
    if (offer[side] !== callerId) return 'not-yours';
    await client.query('SELECT FROM properties WHERE id = $1 FOR NO KEY UPDATE', [offer.propertyId]);
    if (!(await holdAgent(client, callerId))) return 'missing';
    const locked = await client.query<{ status: OfferStatus; isOver: boolean }>(
      `SELECT status, "expiresAt" <= $2 AS "isOver" FROM listing_offers WHERE id = $1 FOR UPDATE`,
      [offerId, toDate(at)],
    );
    const [current] = locked.rows;
    if (current?.status === status) return 'decided';
    if (current?.status !== 'OPEN' || current.isOver) return 'ended';
    const outcome = await follow(client, offer);
    if (outcome !== 'decided') return outcome;
    await client.query(`UPDATE listing_offers SET status = $2, "endedAt" = $3 WHERE id = $1`, [
      offerId,
      status,
      toDate(at),
    ]);
    if (status === 'ACCEPTED' && offer.kind === 'OWNERSHIP') await passOn(client, { ...offer, at });
    return 'decided';
  });
}

/** The database checks that the newest accepted offer says so. */
async function passOn(
  client: PoolClient,
  { propertyId, toAgentId, at }: OfferRow & { at: number },
): Promise<void> {
  await client.query(`UPDATE properties SET "ownerAgentId" = $2, "updatedAt" = $3 WHERE id = $1`, [
    propertyId,
    toAgentId,
    toDate(at),
  ]);
  await client.query(
    `UPDATE listing_offers SET status = 'WITHDRAWN', "endedAt" = $2 WHERE "propertyId" = $1 AND status = 'OPEN'`,
    [propertyId, toDate(at)],
  );
}

/** Whether the account is an agent's; the lock keeps this true until the transaction ends. */
async function holdAgent(client: PoolClient, agentId: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM "user" WHERE id = $1 AND role = 'agent' FOR SHARE`, [
    agentId,
  ]);
  return rowCount === 1;
}

/** Ends the open offers of a person whose account is being deleted. */
export async function endOffersOf(
  client: PoolClient,
  { userId, at }: { userId: string; at: number },
): Promise<void> {
  await client.query(
    `UPDATE listing_offers SET "endedAt" = $2,
       status = CASE WHEN "fromAgentId" = $1 THEN 'WITHDRAWN' ELSE 'DECLINED' END
     WHERE $1::uuid IN ("fromAgentId", "toAgentId") AND status = 'OPEN'`,
    [userId, toDate(at)],
  );
}

const EXPIRE = `
  UPDATE listing_offers SET status = 'EXPIRED', "endedAt" = "expiresAt" WHERE status = 'OPEN' AND "expiresAt" <= $1`;

/** Ends at most `limit` offers whose time is over. @returns how many */
export async function expireOffers(
  pool: Pool,
  { at, limit }: { at: number; limit: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    // An array, because a subquery with IN may run once per row, and each run locks another page.
    `${EXPIRE} AND id = ANY (ARRAY(SELECT id FROM listing_offers WHERE status = 'OPEN' AND "expiresAt" <= $1
       ORDER BY "expiresAt" LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [toDate(at), limit],
  );
  return rowCount ?? 0;
}

/** What the agent would take on. */
interface OfferedListing {
  address: string;
  unitNumber: string | null;
  city: string;
  stateOrProvince: string | null;
  postalCode: string | null;
  standardStatus: StandardStatus;
  listPrice: number;
  currency: string;
  photoCount: number;
  openTourCount: number;
}
/** One of the two agents. The name of a deleted account is empty. */
interface OfferParty {
  agentId: string;
  fullName: string;
  photoUrl: string | null;
  officeName: string | null;
}
interface StoredOffer {
  offerId: string;
  propertyId: string;
  kind: OfferKind;
  status: OfferStatus;
  from: OfferParty;
  to: OfferParty;
  /** Null when the reader is no agent of the listing and the offer has ended. */
  listing: OfferedListing | null;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
}
export type ListingOffer = Millis<StoredOffer>;

const party = (user: string): string => `jsonb_build_object('agentId', ${user}.id, 'fullName', ${user}.name,
  'photoUrl', ${user}.image, 'officeName', ${user}."officeName")`;
const IS_OVER = `(o.status = 'OPEN' AND o."expiresAt" <= :at)`;
const STATUS = `CASE WHEN ${IS_OVER} THEN 'EXPIRED' ELSE o.status END`;
const SELECT = `
  SELECT o.id AS "offerId", o."propertyId", o.kind, ${STATUS} AS status, ${party('f')} AS "from", ${party('t')} AS "to",
    CASE WHEN ${STATUS} = 'OPEN' OR ${mayAct('p', ':callerId')} THEN jsonb_build_object('address', p.address,
      'unitNumber', p."unitNumber", 'city', p.city, 'stateOrProvince', p."stateOrProvince",
      'postalCode', p."postalCode", 'standardStatus', p."standardStatus", 'listPrice', p."listPrice",
      'currency', p.currency,
      'photoCount', (SELECT count(*) FROM property_images i WHERE i."propertyId" = p.id AND NOT i."isStyled"),
      'openTourCount', (SELECT count(*) FROM tours WHERE tours."propertyId" = p.id
        AND tours.status IN ${oneOf(OPEN_TOUR_STATUSES)})) END AS listing,
    o."createdAt", o."expiresAt", CASE WHEN ${IS_OVER} THEN o."expiresAt" ELSE o."endedAt" END AS "endedAt"
  FROM listing_offers o JOIN properties p ON p.id = o."propertyId"
    JOIN "user" f ON f.id = o."fromAgentId" JOIN "user" t ON t.id = o."toAgentId"
  WHERE :callerId::uuid IN (o."fromAgentId", o."toAgentId")`;

/** The offer as one of its two agents sees it; null for anyone else. */
export async function readOffer(pool: Pool, call: OfferCall): Promise<ListingOffer | null> {
  const { rows } = await pool.query<StoredOffer>(
    named(`${SELECT} AND o.id = :offerId`, { ...call, at: toDate(call.at) }),
  );
  return rows[0] ? withMillis(rows[0]) : null;
}

export interface OfferPage {
  callerId: string;
  propertyId: string | null;
  status: OfferStatus | null;
  after: { at: number; id: string } | null;
  limit: number;
  at: number;
}

/** The offers that the person made or got, newest first. */
export async function offersOf(pool: Pool, { after, ...page }: OfferPage): Promise<ListingOffer[]> {
  const { rows } = await pool.query<StoredOffer>(
    named(
      `${SELECT} AND (:propertyId::uuid IS NULL OR o."propertyId" = :propertyId)
         AND (:status::text IS NULL OR ${STATUS} = :status)
         AND (:afterAt::timestamptz IS NULL OR (o."createdAt", o.id) < (:afterAt, :afterId::uuid))
       ORDER BY o."createdAt" DESC, o.id DESC LIMIT :limit`,
      {
        ...page,
        at: toDate(page.at),
        afterAt: toDate(after?.at ?? null),
        afterId: after?.id ?? null,
      },
    ),
  );
  return rows.map(withMillis);
}
