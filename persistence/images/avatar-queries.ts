import type { Pool, PoolClient } from 'pg';
import { readProfile, type UserProfile } from '../accounts/user-queries.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import type { Avatar } from '../entities/user.ts';
import { releaseGuards, type UploadGuards } from './upload-guards.ts';

/**
 * A person's uploaded picture. Always true: at most one row per person; `user.image` is the address of that row while
 * there is one; a trigger queues the object of a deleted row for deletion.
 */
export interface NewAvatar {
  avatarId: string;
  userId: string;
  objectKey: string;
  checksum: string;
  /** The new value of `user.image`. */
  url: string;
  at: number;
}

/**
 * Replaces the old picture and removes the guards of the new one, in the same transaction as `keep`. Null when the
 * account is gone: the guards stay, and the sweep deletes the object.
 * @throws UploadExpired when the sweep has taken the object; nothing changes then.
 */
export function replaceAvatar(
  pool: Pool,
  avatar: NewAvatar,
  guards: UploadGuards,
  keep: (client: PoolClient, profile: UserProfile) => Promise<void>,
): Promise<UserProfile | null> {
  return inTransaction(pool, async (client) => {
    if (!(await takeAway(client, { ...avatar, image: avatar.url }))) return null;
    await releaseGuards(client, guards);
    await client.query(
      `INSERT INTO avatars (id, "userId", "objectKey", checksum, "createdAt") VALUES ($1, $2, $3, $4, $5)`,
      [avatar.avatarId, avatar.userId, avatar.objectKey, avatar.checksum, toDate(avatar.at)],
    );
    const profile = await readProfile(client, avatar.userId);
    if (profile !== null) await keep(client, profile);
    return profile;
  });
}

/** Removes the person's picture, also one from a sign-in provider. Null when the account is gone. */
export function removeAvatar(
  pool: Pool,
  { userId, at }: { userId: string; at: number },
): Promise<UserProfile | null> {
  return inTransaction(pool, async (client) => {
    if (!(await takeAway(client, { userId, image: null, at }))) return null;
    return readProfile(client, userId);
  });
}

/** Locks the account's row first, so that changes of one person's picture are serialized. */
async function takeAway(
  client: PoolClient,
  { userId, image, at }: { userId: string; image: string | null; at: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE "user" SET image = $2, "updatedAt" = $3 WHERE id = $1 AND email IS NOT NULL`,
    [userId, image, toDate(at)],
  );
  if (rowCount !== 1) return false;
  await client.query(`DELETE FROM avatars WHERE "userId" = $1`, [userId]);
  return true;
}

/** Where a picture is stored; null for an unknown or former id, and while the person is suspended. */
export async function findAvatar(
  pool: Pool,
  avatarId: string,
): Promise<Pick<Avatar, 'objectKey' | 'checksum'> | null> {
  const { rows } = await pool.query<Pick<Avatar, 'objectKey' | 'checksum'>>(
    `SELECT a."objectKey", a.checksum FROM avatars a JOIN "user" u ON u.id = a."userId"
     WHERE a.id = $1 AND u."suspendedAt" IS NULL`,
    [avatarId],
  );
  return rows[0] ?? null;
}
