import type { Pool, PoolClient } from 'pg';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { named } from '../database/sql-values.ts';
import type { User } from '../entities/user.ts';

const COLUMNS = `id, email, name, image, role, locale, phone, "licenseNumber", "officeName", "emailPublic",
  "mutedMails", "createdAt"`;
/** The row of an existing account, which has an email address. */
type ProfileRow = Omit<User, 'email' | 'emailVerified' | 'updatedAt' | 'suspendedAt'> & { email: string };

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
         "mutedMails" = coalesce(:mutedMails, "mutedMails")
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

/**
 * Makes a customer an agent at once; for an agent it renews the license (docs/contract.md#permission). An agent's start
 * date and approval do not change.
 */
export async function becomeAgent(
  pool: Pool,
  request: {
    userId: string;
    licenseNumber: string;
    officeName: string;
    phone?: string | null | undefined;
    /** Whether nothing of a new agent is public before an approval. */
    needsApproval: boolean;
    at: number;
  },
): Promise<UserProfile | null> {
  const { userId, licenseNumber, officeName, phone, needsApproval, at } = request;
  const { rows } = await pool.query<ProfileRow>(
    `WITH person AS (
       UPDATE "user" SET role = 'agent', "licenseNumber" = $2, "officeName" = $3, phone = coalesce($4, phone),
         "updatedAt" = $5
       WHERE id = $1 AND ${EXISTS} RETURNING ${COLUMNS}
     ), standing AS (
       INSERT INTO agent_standings ("agentId", "agentSince", "needsApproval")
       SELECT id, $5, $6 FROM person ON CONFLICT DO NOTHING
     )
     SELECT * FROM person`,
    [userId, licenseNumber, officeName, phone ?? null, toDate(at), needsApproval],
  );
  return fromRow(rows[0]);
}

type FoundAgent = Pick<User, 'officeName'> & { agentId: string; fullName: string; photoUrl: string | null };

/** Null when no agent has this address, or the agent is suspended. */
export async function agentByEmail(pool: Pool, email: string): Promise<FoundAgent | null> {
  const { rows } = await pool.query<FoundAgent>(
    `SELECT id AS "agentId", name AS "fullName", image AS "photoUrl", "officeName" FROM "user"
     WHERE email = $1 AND role = 'agent' AND "suspendedAt" IS NULL`,
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
