import {
  beginInvitationMail,
  type InvitationMail,
  invitationMails,
} from '../../persistence/accounts/agent-invitations.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { renderInvitationMail } from './invitation-mail.ts';
import { createInvitationSecrets, hashOfSecret } from './invitation-secret.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';

/** Mails invitations of agents (docs/contract.md#mail). */
export function createInvitationMailSender(ports: MailPorts & { readonly authSecret: string }): Sweeper {
  const secretOf = createInvitationSecrets(ports.authSecret);
  const compose = async (
    { pool, clock, site }: MailPorts,
    { id }: InvitationMail,
  ): Promise<ComposedMail | null> => {
    const secret = secretOf(id);
    const invitation = await beginInvitationMail(pool, {
      id,
      secretHash: hashOfSecret(secret),
      at: clock.now(),
    });
    if (invitation === null) return null;
    return {
      countedFor: null,
      to: invitation.email,
      id: `${id}.${invitation.expiresAt}.invitation`,
      news: renderInvitationMail({ invitation, secret, site }),
    };
  };
  return createMailSender(ports, {
    ...invitationMails,
    name: 'invitation-mails',
    what: 'a mail of an invitation',
    compose,
  });
}
