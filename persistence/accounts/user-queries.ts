import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { named } from '../database/sql-values.ts';
import type { User } from '../entities/user.ts';
import { MUTED_MAILS } from '../mails/due-mails.ts';
import { acceptInvitation } from './agent-invitations.ts';

const COLUMNS = `id, email, name, image, role, locale, phone, "licenseNumber", "officeName", "emailPublic",
  ${MUTED_MAILS} AS "mutedMails", "createdAt"`;
/** The row of an existing account, which has an email address. */
type ProfileRow = Omit<
  User,
  'email' | 'emailVerified' | 'updatedAt' | 'suspendedAt' | 'mutesMessages' | 'feedUser'
> & {
  email: string;
};

/** A person's profile, as `users.getMe` returns it. */
export type UserProfile = Millis<ProfileRow>;

/** Condition: the row is not a tombstone of a deleted account. */
const EXISTS = 'email IS NOT NULL';

/** Null when the account is gone. */
export async function readProfile(db: Pool | PoolClient, userId: string): Promise<UserProfile | null> {
  const { rows } = await db.query<ProfileRow>(`SELECT ${COLUMNS} FROM "user" WHERE id = $1 AND ${EXISTS}`, [
    userId,
  ]);
  return fromRow(rows[0]);
}

export type ProfileChange = {
  [C in 'name' | 'phone' | 'locale' | 'emailPublic' | 'mutedMails']?: User[C] | undefined;
};

/** Writes the given fields and leaves the rest. A phone number of null removes it. */
export async function updateProfile(
  pool: Pool,
  { userId, change, at }: { userId: string; change: ProfileChange; at: number },
): Promise<UserProfile | null> {
  const { rows } = await pool.query<ProfileRow>(
    named(
      `UPDATE "user" SET name = coalesce(:name, name), phone = CASE WHEN :hasPhone THEN :phone ELSE phone END,
         locale = coalesce(:locale, locale), "updatedAt" = :at, "emailPublic" = coalesce(:emailPublic, "emailPublic"),
         "mutedMails" = coalesce(array_remove(:mutedMails::text[], 'MESSAGE_RECEIVED'), "mutedMails"),
         "mutesMessages" = coalesce('MESSAGE_RECEIVED' = ANY (:mutedMails), "mutesMessages")
       WHERE id = :userId AND ${EXISTS} RETURNING ${COLUMNS}`,
      {
        name: change.name,
        hasPhone: change.phone !== undefined,
        phone: change.phone,
        locale: change.locale,
        emailPublic: change.emailPublic,
        mutedMails: change.mutedMails,
        at: toDate(at),
        userId,
      },
    ),
  );
  return fromRow(rows[0]);
}

/** How a person becomes an agent. */
export interface AgentRequest {
  userId: string;
  licenseNumber: string;
  /** Null with an invitation, which names the office. */
  officeName: string | null;
  phone?: string | null | undefined;
  /** The hash of an invitation's secret; null without one. */
  secretHash: string | null;
  /** Whether a customer needs an invitation. */
  needsInvitation: boolean;
  /** Whether nothing of a new agent is public before an approval. */
  needsApproval: boolean;
  at: number;
}

/**
 * Makes a customer an agent at once; for an agent it renews the license (docs/contract.md#permission). An agent's start
 * date and approval do not change. @returns `uninvited` without the invitation that is needed, or with one that is not
 * open; null when the account is gone
 */
export function becomeAgent(pool: Pool, request: AgentRequest): Promise<UserProfile | 'uninvited' | null> {
  const { userId, licenseNumber, phone, secretHash, needsInvitation, needsApproval, at } = request;
  return inTransaction(pool, async (client) => {
    const { rows: people } = await client.query<{ role: string }>(
      `SELECT role FROM "user" WHERE id = $1 AND ${EXISTS} FOR NO KEY UPDATE`,
      [userId],
    );
    const [person] = people;
    if (person === undefined) return null;
    const isNew = person.role !== 'agent';
    const accepted =
      isNew && secretHash !== null ? await acceptInvitation(client, { secretHash, userId, at }) : null;
    if (isNew && accepted === null && (needsInvitation || secretHash !== null)) return 'uninvited';
    const officeName = accepted?.officeName ?? request.officeName;
    const { rows } = await client.query<ProfileRow>(
      `UPDATE "user" SET role = 'agent', "licenseNumber" = $2, "officeName" = coalesce($3, "officeName"),
         phone = coalesce($4, phone), "updatedAt" = $5
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [userId, licenseNumber, officeName, phone ?? null, toDate(at)],
    );
    const { by = null, reason = null } = accepted?.approval ?? {};
    await client.query(
      `INSERT INTO agent_standings ("agentId", "agentSince", "needsApproval", "approvedAt", "approvedBy", "approvalReason")
       VALUES ($1, $2, $3, CASE WHEN $4::text IS NULL THEN NULL ELSE $2::timestamptz END, $4, $5)
       ON CONFLICT DO NOTHING`,
      [userId, toDate(at), needsApproval, by, reason],
    );
    return fromRow(rows[0]);
  });
}

type FoundAgent = Pick<User, 'officeName'> & { agentId: string; fullName: string; photoUrl: string | null };

/** Null when no agent has this address, or the agent is suspended. */
export async function agentByEmail(pool: Pool, email: string): Promise<FoundAgent | null> {
  const { rows } = await pool.query<FoundAgent>(
    `SELECT id AS "agentId", name AS "fullName", image AS "photoUrl", "officeName" FROM "user"
     WHERE email = $1 AND role = 'agent' AND "suspendedAt" IS NULL AND NOT "feedUser"`,
    [email],
  );
  return rows[0] ?? null;
}

/** The given ids that belong to agents. */
export async function agentsAmong(pool: Pool, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM "user" WHERE id = ANY($1::uuid[]) AND role = 'agent'`,
    [userIds],
  );
  return new Set(rows.map(({ id }) => id));
}

function fromRow(row: ProfileRow | undefined): UserProfile | null {
  return row === undefined ? null : withMillis(row);
}

/** The language of the account with this address, or null. */
export async function localeOfEmail(pool: Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ locale: string }>('SELECT locale FROM "user" WHERE email = $1', [
    email,
  ]);
  return rows[0]?.locale ?? null;
}
