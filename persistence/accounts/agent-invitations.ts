import type { Pool, PoolClient } from 'pg';
import type { Locale } from '../../i18n/translator.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type ActTrail, actCount, recordAct } from '../console/operator-acts.ts';
import { toDate, toMillis } from '../database/instants.ts';
import { countInvitation } from '../growth/growth-counts.ts';
import { dueMails } from '../mails/due-mails.ts';

/**
 * Invitations of agents (0129). Always true: an invitation is accepted once, before its end, and while the agent who
 * made it is an agent who is not suspended. Who knows the secret of the mail accepts it, whichever address they sign
 * in with; while only invited people may sign in, the address of an open invitation may. The secret is derived from
 * the id, so a mail that is sent twice has the same link. One that an operator has withdrawn is never opened again: the
 * next invitation of that address is another row with another link.
 */
const DAY_MS = 86_400_000;
export const INVITATION_DAYS = 14;
/** Counted from the end of the invitation. */
export const ENDED_INVITATIONS_KEPT_DAYS = 30;

export interface InvitationMail {
  readonly id: string;
}
export const invitationMails = dueMails<InvitationMail>('agent_invitation_mails', ['id']);

interface NewInvitation {
  /** Spelled as an account's address is. */
  email: string;
  locale: Locale;
  at: number;
}
type Invited = { invitationId: string; expiresAt: number };

/**
 * Invites an address in the name of an agent, into the agent's office. Repeating it extends the invitation and mails it
 * again. Null when this invitation was accepted. @throws GrowthLimitReached
 * @param keep in the same transaction
 */
export function inviteColleague(
  pool: Pool,
  { agentId, ...invitation }: NewInvitation & { agentId: string },
  keep: (client: PoolClient, invited: Invited) => Promise<void>,
): Promise<Invited | null> {
  return inTransaction(pool, async (client) => {
    await countInvitation(client, { agentId, at: invitation.at });
    const invited = await invite(client, invitation, { agentId });
    if (invited !== null) await keep(client, invited);
    return invited;
  });
}

/** The same in the name of an operator, without a limit. */
export function inviteAgent(
  pool: Pool,
  {
    by,
    reason,
    officeName,
    ...invitation
  }: NewInvitation & { by: string; reason: string; officeName: string },
): Promise<Invited | null> {
  return inTransaction(pool, (client) => invite(client, invitation, { by, reason, officeName }));
}

type Maker = { agentId: string } | { by: string; reason: string; officeName: string };

const INVITE = `
  INSERT INTO agent_invitations AS i (email, locale, "createdAt", "expiresAt", "invitedById", by, reason, "officeName")
  SELECT $1, $2, $3, $4, $5, $6, $7, coalesce($8, (SELECT "officeName" FROM "user" WHERE id = $5), '')
  ON CONFLICT (email, "invitedById") DO UPDATE
    SET locale = excluded.locale, "expiresAt" = excluded."expiresAt", by = excluded.by, reason = excluded.reason,
      "officeName" = excluded."officeName"
    WHERE i."acceptedAt" IS NULL
  RETURNING id`;
const FORGET_WITHDRAWN = `
  DELETE FROM agent_invitations i WHERE i.email = $1 AND i."invitedById" IS NOT DISTINCT FROM $2 AND i."acceptedAt" IS NULL
    AND EXISTS (SELECT FROM operator_acts o WHERE o."invitationId" = i.id)`;
const MAIL = `
  INSERT INTO agent_invitation_mails (id, "nextAttemptAt") VALUES ($1, $2)
  ON CONFLICT (id) DO UPDATE SET attempts = 0, "nextAttemptAt" = excluded."nextAttemptAt"`;

async function invite(
  client: PoolClient,
  { email, locale, at }: NewInvitation,
  maker: Maker,
): Promise<Invited | null> {
  const expiresAt = at + INVITATION_DAYS * DAY_MS;
  const made =
    'agentId' in maker ? [maker.agentId, null, null, null] : [null, maker.by, maker.reason, maker.officeName];
  await client.query(FORGET_WITHDRAWN, [email, made[0]]);
  const { rows } = await client.query<{ id: string }>(INVITE, [
    email,
    locale,
    toDate(at),
    toDate(expiresAt),
    ...made,
  ]);
  if (rows[0] === undefined) return null;
  await client.query(MAIL, [rows[0].id, toDate(at)]);
  return { invitationId: rows[0].id, expiresAt };
}

/** Condition: the invitation `i` can be accepted at the instant of the parameter. */
const isOpen = (at: string): string => `
  i."acceptedAt" IS NULL AND i."expiresAt" > ${at} AND (i."invitedById" IS NULL OR EXISTS (
    SELECT FROM "user" maker WHERE maker.id = i."invitedById" AND maker.role = 'agent' AND maker."suspendedAt" IS NULL))`;

/** Whether an open invitation names this address. */
export async function isInvited(
  db: Pool | PoolClient,
  { email, at }: { email: string; at: number },
): Promise<boolean> {
  const { rows } = await db.query<{ invited: boolean }>(
    `SELECT EXISTS (SELECT FROM agent_invitations i WHERE i.email = $1 AND ${isOpen('$2')}) AS invited`,
    [email, toDate(at)],
  );
  return rows[0]?.invited === true;
}

/** What an accepted invitation gives to the new agent. */
export interface Accepted {
  officeName: string;
  /** Who has approved the agent by inviting them; null when the inviting agent is not approved. */
  approval: { by: string; reason: string } | null;
}

/** Accepts an invitation, in the transaction that makes the agent. Null when it is not open, or there is none. */
export async function acceptInvitation(
  client: PoolClient,
  { secretHash, userId, at }: { secretHash: string; userId: string; at: number },
): Promise<Accepted | null> {
  const { rows } = await client.query<{
    officeName: string;
    by: string | null;
    reason: string | null;
    isMakerApproved: boolean;
  }>(
    `UPDATE agent_invitations i SET "acceptedAt" = $3, "acceptedById" = $2
     WHERE i."secretHash" = $1 AND ${isOpen('$3')}
     RETURNING i."officeName", i.by, i.reason, EXISTS (
       SELECT FROM agent_standings s WHERE s."agentId" = i."invitedById" AND s."approvedAt" IS NOT NULL
     ) AS "isMakerApproved"`,
    [secretHash, userId, toDate(at)],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { officeName, by, reason, isMakerApproved } = row;
  if (by !== null && reason !== null) return { officeName, approval: { by, reason } };
  const approval = isMakerApproved ? { by: 'invitation', reason: 'Invited by an approved agent.' } : null;
  return { officeName, approval };
}

/** What the mail of an invitation states. */
export interface MailedInvitation {
  email: string;
  officeName: string;
  locale: Locale;
  /** Null when an operator invites. */
  from: string | null;
  expiresAt: number;
}

/**
 * Stores the hash of the secret, and reads what its mail states. Null when the invitation has ended, or an agent has
 * this address.
 */
export async function beginInvitationMail(
  pool: Pool,
  { id, secretHash, at }: { id: string; secretHash: string; at: number },
): Promise<MailedInvitation | null> {
  const { rows } = await pool.query<Omit<MailedInvitation, 'expiresAt'> & { expiresAt: Date }>(
    `UPDATE agent_invitations i SET "secretHash" = $2
     WHERE i.id = $1 AND ${isOpen('$3')}
       AND NOT EXISTS (SELECT FROM "user" u WHERE u.email = i.email AND u.role = 'agent')
     RETURNING i.email, i."officeName", i."expiresAt",
       (SELECT name FROM "user" WHERE id = i."invitedById") AS from,
       coalesce((SELECT locale FROM "user" WHERE email = i.email), i.locale) AS locale`,
    [id, secretHash, toDate(at)],
  );
  return rows[0] === undefined ? null : { ...rows[0], expiresAt: toMillis(rows[0].expiresAt) };
}

/** An invitation as operators see it: never to whom. */
export interface InvitationForOperators {
  invitationId: string;
  state: 'OPEN' | 'ACCEPTED' | 'WITHDRAWN' | 'ENDED';
  officeName: string;
  /** The operator who made it; null when an agent did. */
  by: string | null;
  invitedById: string | null;
  createdAt: Date;
  expiresAt: Date;
  /** How many acts of operators there were about it. */
  version: number;
}

const FOR_OPERATORS = `
  SELECT i.id AS "invitationId", i."officeName", i.by, i."invitedById", i."createdAt", i."expiresAt",
    ${actCount('invitationId', 'i.id')} AS version,
    CASE WHEN i."acceptedAt" IS NOT NULL THEN 'ACCEPTED' WHEN ${isOpen('$1')} THEN 'OPEN'
      WHEN EXISTS (SELECT FROM operator_acts o WHERE o."invitationId" = i.id) THEN 'WITHDRAWN' ELSE 'ENDED' END AS state
  FROM agent_invitations i`;

export async function invitationForOperators(
  pool: Pool,
  { id, at }: { id: string; at: number },
): Promise<InvitationForOperators | null> {
  const { rows } = await pool.query<InvitationForOperators>(`${FOR_OPERATORS} WHERE i.id = $2`, [
    toDate(at),
    id,
  ]);
  return rows[0] ?? null;
}

/** The open invitations, the newest first. */
export async function openInvitations(
  pool: Pool,
  { at, limit }: { at: number; limit: number },
): Promise<InvitationForOperators[]> {
  const { rows } = await pool.query<InvitationForOperators>(
    `${FOR_OPERATORS} WHERE ${isOpen('$1')} ORDER BY i."createdAt" DESC, i.id LIMIT $2`,
    [toDate(at), limit],
  );
  return rows;
}

/** The invitation of an address: of several, the one that ends last. */
export async function invitationByEmail(pool: Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM agent_invitations WHERE email = lower($1)
     ORDER BY "acceptedAt" IS NOT NULL, "expiresAt" DESC, id LIMIT 1`,
    [email.trim()],
  );
  return rows[0]?.id ?? null;
}

/**
 * Ends an open invitation. False when it is not open. Its end is then before every acceptance, also before one that is
 * under way with an earlier time and waits for this row.
 */
export function withdrawInvitation(pool: Pool, invitationId: string, trail: ActTrail): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE agent_invitations i SET "expiresAt" = i."createdAt" + interval '1 millisecond'
       WHERE i.id = $1 AND ${isOpen('$2')}`,
      [invitationId, toDate(trail.at)],
    );
    if (rowCount !== 1) return false;
    await recordAct(client, { act: 'withdraw-invitation', invitationId }, trail);
    return true;
  });
}

/**
 * Makes the first agent, approved. Null when there is an agent already. The account is new, or that of the address;
 * the address is proven at its next sign-in.
 */
export function makeFirstAgent(
  pool: Pool,
  agent: {
    email: string;
    name: string;
    licenseNumber: string;
    officeName: string;
    locale: Locale;
    by: string;
    at: number;
  },
): Promise<string | null> {
  const { email, name, licenseNumber, officeName, locale, by, at } = agent;
  return inTransaction(pool, async (client) => {
    // Two of these commands at once make one agent.
    await client.query('LOCK TABLE agent_standings IN SHARE ROW EXCLUSIVE MODE');
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO "user" AS u (id, email, name, locale, "licenseNumber", "officeName", role, "emailVerified",
         "createdAt", "updatedAt")
       SELECT gen_random_uuid(), $1, $2, $3, $4, $5, 'agent', false, $6, $6 WHERE NOT EXISTS (SELECT FROM "user" WHERE role = 'agent')
       ON CONFLICT (email) DO UPDATE SET role = 'agent', name = excluded.name,
         "licenseNumber" = excluded."licenseNumber", "officeName" = excluded."officeName", "updatedAt" = $6
       RETURNING u.id`,
      [email, name, locale, licenseNumber, officeName, toDate(at)],
    );
    const id = rows[0]?.id ?? null;
    if (id === null) return null;
    await client.query(
      `INSERT INTO agent_standings ("agentId", "agentSince", "approvedAt", "approvedBy", "approvalReason")
       VALUES ($1, $2, $2, $3, 'The first agent of this installation.')`,
      [id, toDate(at), by],
    );
    return id;
  });
}
