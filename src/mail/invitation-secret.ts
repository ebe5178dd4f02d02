import { createHash, createHmac, hkdfSync } from 'node:crypto';

/**
 * The secret in the link of an invitation, derived from its id and AUTH_SECRET: a mail that is sent again has the same
 * link. The row has the hash, so links stay valid when AUTH_SECRET changes.
 */
export function createInvitationSecrets(authSecret: string): (invitationId: string) => string {
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'proscenium invitations v1', 32));
  return (id) => createHmac('sha256', key).update(id).digest('base64url');
}

/** The hash as it is stored. */
export const hashOfSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');
