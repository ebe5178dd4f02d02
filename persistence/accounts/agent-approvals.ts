import type { Pool } from 'pg';
import { toDate, toMillis } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import type { AgentStanding, User } from '../entities/user.ts';

/**
 * Which agents may stage and publish while new agents need approval, and for which agents half of the platform's daily
 * quota is reserved.
 */
export interface AgentForApproval extends Pick<Row, 'agentId' | 'licenseNumber' | 'officeName'> {
  agentSince: number;
  /** Null while the agent is not approved. */
  approval: { at: number; by: string; reason: string } | null;
  /** The state of the license that an operator has confirmed; null when the number of now is not. */
  confirmedState: string | null;
}

type Row = Pick<AgentStanding, 'agentId' | 'agentSince' | 'approvedAt' | 'approvedBy' | 'approvalReason'> &
  Pick<User, 'licenseNumber' | 'officeName'> & { confirmedState: string | null };
const COLUMNS = `u.id AS "agentId", coalesce(s."agentSince", u."createdAt") AS "agentSince", u."licenseNumber",
  u."officeName", s."approvedAt", s."approvedBy", s."approvalReason",
  CASE WHEN s."confirmedLicense" = u."licenseNumber" THEN s."licenseState" END AS "confirmedState"`;

/** Null when the account does not exist or is not an agent's. */
export async function agentForApproval(pool: Pool, agentId: string): Promise<AgentForApproval | null> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM "user" u LEFT JOIN agent_standings s ON s."agentId" = u.id
     WHERE u.id = $1 AND u.role = 'agent'`,
    [agentId],
  );
  return rows[0] ? fromRow(rows[0]) : null;
}

/** Agents without approval, the longest waiting first. */
export async function agentsWaiting(pool: Pool, limit: number): Promise<AgentForApproval[]> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM agent_standings s JOIN "user" u ON u.id = s."agentId"
     WHERE s."approvedAt" IS NULL ORDER BY s."agentSince", s."agentId" LIMIT $1`,
    [limit],
  );
  return rows.map(fromRow);
}

/** False when the account is not an agent's, or the agent is approved already: the first approval stays. */
export async function approveAgent(
  pool: Pool,
  { agentId, by, reason, at }: { agentId: string; by: string; reason: string; at: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO agent_standings AS s ("agentId", "agentSince", "approvedAt", "approvedBy", "approvalReason")
     SELECT id, "createdAt", $2, $3, $4 FROM "user" WHERE id = $1 AND role = 'agent' FOR KEY SHARE
     ON CONFLICT ("agentId") DO UPDATE
       SET "approvedAt" = excluded."approvedAt", "approvedBy" = excluded."approvedBy",
         "approvalReason" = excluded."approvalReason"
       WHERE s."approvedAt" IS NULL`,
    [agentId, toDate(at), by, reason],
  );
  return rowCount === 1;
}

/** The license that an operator has compared with the register of its state. */
export interface ComparedLicense {
  number: string;
  /** Two letters. */
  state: string;
}

/**
 * An operator has compared the license with its register: listings of feeds that name it lead to the agent. False when it is
 * not the agent's license of now (agents write it themselves), or is confirmed already.
 */
export async function confirmLicense(
  pool: Pool,
  { agentId, license, by }: { agentId: string; license: ComparedLicense; by: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO agent_standings AS s ("agentId", "agentSince", "confirmedLicense", "licenseState", "licenseConfirmedBy")
     SELECT id, "createdAt", "licenseNumber", $2, $3 FROM "user"
     WHERE id = $1 AND role = 'agent' AND "licenseNumber" = $4 FOR KEY SHARE
     ON CONFLICT ("agentId") DO UPDATE
       SET "confirmedLicense" = excluded."confirmedLicense", "licenseState" = excluded."licenseState",
         "licenseConfirmedBy" = excluded."licenseConfirmedBy"
       WHERE (s."confirmedLicense", s."licenseState")
         IS DISTINCT FROM (excluded."confirmedLicense", excluded."licenseState")`,
    [agentId, license.state, by, license.number],
  );
  return rowCount === 1;
}

/**
 * While new agents need an approval: all who have none and nothing public, also those of a release or a setting before.
 * Who has a public listing keeps it.
 */
export async function requireApprovalOfNewAgents(pool: Pool): Promise<void> {
  await pool.query(
    `UPDATE agent_standings s SET "needsApproval" = true
     WHERE s."approvedAt" IS NULL AND NOT s."needsApproval" AND NOT EXISTS (
       SELECT FROM properties p WHERE p."ownerAgentId" = s."agentId" AND ${hasPublicPage('p')})`,
  );
}

function fromRow({ agentSince, approvedAt, approvedBy, approvalReason, ...agent }: Row): AgentForApproval {
  const approval = approvedAt && {
    at: toMillis(approvedAt),
    by: approvedBy ?? '',
    reason: approvalReason ?? '',
  };
  return { ...agent, agentSince: toMillis(agentSince), approval };
}
