import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { mayAct } from './agent-access.ts';

/**
 * Who acts for a listing: its owner and the agents assigned to it. Each change locks the listing first and then the
 * other agent's account. So changes of one listing are serialized, and no listing is given to an account that is being
 * deleted. Every change is idempotent.
 */
export interface ListingAgent {
  agentId: string;
  fullName: string;
  photoUrl: string | null;
  officeName: string | null;
  isOwner: boolean;
}

/** Assigned agents of one listing, without its owner. */
export const MAX_ASSIGNED_AGENTS = 20;

export type AgentsOutcome =
  | 'changed'
  /** No such listing for the caller. */
  | 'missing'
  /** The caller is assigned to the listing and does not own it. */
  | 'not-owner'
  | 'not-an-agent'
  | 'too-many';

export interface AgentsChange {
  propertyId: string;
  callerId: string;
  /** The agent who is assigned, unassigned or made the owner. */
  agentId: string;
}

/** The owner first, then the others by name; null when the caller is not an agent of the listing. */
export async function agentsOfListing(
  pool: Pool,
  { propertyId, callerId }: { propertyId: string; callerId: string },
): Promise<ListingAgent[] | null> {
  const { rows } = await pool.query<{ agents: ListingAgent[] }>(
    `SELECT (SELECT jsonb_agg(jsonb_build_object('agentId', a.id, 'fullName', a.name, 'photoUrl', a.image,
         'officeName', a."officeName", 'isOwner', a.id = p."ownerAgentId")
         ORDER BY a.id <> p."ownerAgentId", a.name, a.id)
       FROM "user" a WHERE a.id = p."ownerAgentId" OR a.id IN (
         SELECT pa."agentId" FROM property_agents pa WHERE pa."propertyId" = p.id)) AS agents
     FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')}`,
    [propertyId, callerId],
  );
  return rows[0]?.agents ?? null;
}

/** Lets the agent act for the listing. */
export function assignAgent(pool: Pool, change: AgentsChange): Promise<AgentsOutcome> {
  return addAgent(pool, change, (client) => insertAgent(client, change));
}

/** Ends the assignment. An owner stays the owner. */
export function unassignAgent(pool: Pool, change: AgentsChange): Promise<AgentsOutcome> {
  return asOwner(pool, change, async (client) => {
    await deleteAgent(client, change);
    return 'changed';
  });
}

/** Makes the agent the owner. The previous owner stays assigned, so that begun work can be finished. */
export function transferOwnership(
  pool: Pool,
  { at, ...change }: AgentsChange & { at: number },
): Promise<AgentsOutcome> {
  const { propertyId, callerId, agentId } = change;
  return addAgent(pool, change, async (client) => {
    await deleteAgent(client, change);
    await insertAgent(client, { propertyId, agentId: callerId });
    await client.query(`UPDATE properties SET "ownerAgentId" = $2, "updatedAt" = $3 WHERE id = $1`, [
      propertyId,
      agentId,
      toDate(at),
    ]);
  });
}

/** Runs `work` for an agent other than the owner, when there is room for one more. For the owner nothing is done. */
function addAgent(
  pool: Pool,
  change: AgentsChange,
  work: (client: PoolClient) => Promise<void>,
): Promise<AgentsOutcome> {
  const { propertyId, callerId: ownerAgentId, agentId } = change;
  return asOwner(pool, change, async (client) => {
    if (!(await holdAgent(client, agentId))) return 'not-an-agent';
    if (agentId === ownerAgentId) return 'changed';
    const { rowCount } = await client.query(
      `SELECT FROM property_agents WHERE "propertyId" = $1 AND "agentId" <> ALL ($2::uuid[])`,
      [propertyId, [ownerAgentId, agentId]],
    );
    if ((rowCount ?? 0) >= MAX_ASSIGNED_AGENTS) return 'too-many';
    await work(client);
    return 'changed';
  });
}

/** Runs the change when the caller owns the listing, under the listing's lock. */
function asOwner(
  pool: Pool,
  { propertyId, callerId }: AgentsChange,
  change: (client: PoolClient) => Promise<AgentsOutcome>,
): Promise<AgentsOutcome> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ ownerAgentId: string }>(
      `SELECT p."ownerAgentId" FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')}
       FOR NO KEY UPDATE OF p`,
      [propertyId, callerId],
    );
    const [listing] = rows;
    if (listing === undefined) return 'missing';
    return listing.ownerAgentId === callerId ? change(client) : 'not-owner';
  });
}

/** Whether the account is an agent's; the lock keeps this true until the transaction ends. */
async function holdAgent(client: PoolClient, agentId: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM "user" WHERE id = $1 AND role = 'agent' FOR SHARE`, [
    agentId,
  ]);
  return rowCount === 1;
}

type Assignment = Pick<AgentsChange, 'propertyId' | 'agentId'>;

async function insertAgent(client: PoolClient, { propertyId, agentId }: Assignment): Promise<void> {
  await client.query(
    `INSERT INTO property_agents ("propertyId", "agentId") VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    [propertyId, agentId],
  );
}

async function deleteAgent(client: PoolClient, { propertyId, agentId }: Assignment): Promise<void> {
  await client.query(`DELETE FROM property_agents WHERE "propertyId" = $1 AND "agentId" = $2`, [
    propertyId,
    agentId,
  ]);
}
