import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { mayAct } from './agent-access.ts';

/**
 * Who acts for a listing: its owner and the agents assigned to it. They become that only by accepting an offer
 * (listing-offers.ts). Each change locks the listing first, so changes of one listing are serialized. Every change is
 * idempotent.
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

/** What the caller is to the listing; `none` also when there is no such listing. */
export type Standing = 'owner' | 'assigned' | 'none';

interface ListingCall {
  propertyId: string;
  callerId: string;
}

/** The owner first, then the others by name; null when the caller is not an agent of the listing. */
export async function agentsOfListing(
  pool: Pool,
  { propertyId, callerId }: ListingCall,
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

/** Ends the agent's assignment if the caller is the owner. An owner stays the owner. */
export function unassignAgent(
  pool: Pool,
  { agentId, ...call }: ListingCall & { agentId: string },
): Promise<Standing> {
  return inTransaction(pool, async (client) => {
    const standing = await lockForAgents(client, call);
    if (standing === 'owner') await deleteAgent(client, { ...call, agentId });
    return standing;
  });
}

/** Ends the caller's own assignment. An owner stays the owner. */
export function leaveListing(pool: Pool, call: ListingCall): Promise<Standing> {
  return inTransaction(pool, async (client) => {
    const standing = await lockForAgents(client, call);
    if (standing === 'assigned') await deleteAgent(client, { ...call, agentId: call.callerId });
    return standing;
  });
}

/** Locks the listing for a change of its agents. */
export async function lockForAgents(
  client: PoolClient,
  { propertyId, callerId }: ListingCall,
): Promise<Standing> {
  const { rows } = await client.query<{ isOwner: boolean }>(
    `SELECT p."ownerAgentId" = $2 AS "isOwner" FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')}
     FOR NO KEY UPDATE OF p`,
    [propertyId, callerId],
  );
  const [listing] = rows;
  if (listing === undefined) return 'none';
  return listing.isOwner ? 'owner' : 'assigned';
}

export async function deleteAgent(
  client: PoolClient,
  { propertyId, agentId }: { propertyId: string; agentId: string },
): Promise<void> {
  await client.query(`DELETE FROM property_agents WHERE "propertyId" = $1 AND "agentId" = $2`, [
    propertyId,
    agentId,
  ]);
}
