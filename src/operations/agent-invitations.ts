import type { Pool } from 'pg';
import { z } from 'zod';
import { LOCALES, type Locale } from '../../i18n/translator.ts';
import { INVITATION_DAYS, inviteAgent } from '../../persistence/accounts/agent-invitations.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { spelledAddress } from '../wire/mail-address.ts';
import { plainLine } from '../wire/text.ts';
import type { Asking } from './operation.ts';
import { originOf } from './signature.ts';

/**
 * An operator's invitation of an agent. The API host mails it, because only that role knows the mail server; the row
 * stores who invited and why. Whoever accepts is approved.
 */
export const INVITE_AGENT = {
  name: 'invite-agent',
  title: 'Invite an agent',
  sentence: `Mails an invitation to become an approved agent. It is valid for ${INVITATION_DAYS} days and works once.`,
} as const;

const invitation = z.strictObject({
  email: z.string().trim().max(254).transform(spelledAddress).pipe(z.email()),
  officeName: plainLine(120),
  locale: z.enum(LOCALES),
});
/** As the operator entered it. */
export interface EnteredInvitation {
  email: string;
  officeName: string;
  locale: string;
}
const EXPECTED: Record<keyof EnteredInvitation, string> = {
  email: 'the address must be a mail address',
  officeName: 'the office must be one line of at most 120 characters',
  locale: `the language must be one of ${LOCALES.join(', ')}`,
};

export type Inviting =
  | { outcome: 'invited'; expiresAt: number; locale: Locale }
  /** An earlier invitation by an operator was accepted. */
  | { outcome: 'accepted' }
  | { problems: string[] };

export function createAgentInvitations({
  pool,
  clock,
  scrub,
}: {
  pool: Pool;
  clock: Clock;
  scrub(text: string): string;
}) {
  /** What is wrong with the entered values; empty when nothing is. */
  const problemsOf = (entered: EnteredInvitation): string[] => {
    const wrong = invitation.safeParse(entered).error?.issues.map(({ path }) => String(path[0])) ?? [];
    return Object.entries(EXPECTED).flatMap(([field, text]) => (wrong.includes(field) ? [text] : []));
  };
  return {
    problemsOf,
    /** Throws `UnsignedError` without a valid name and reason. */
    async invite(entered: EnteredInvitation, asking: Pick<Asking, 'by' | 'reason'>): Promise<Inviting> {
      const { by, note: reason = '' } = originOf(asking, scrub);
      const parsed = invitation.safeParse(entered);
      if (!parsed.success) return { problems: problemsOf(entered) };
      const made = await inviteAgent(pool, { ...parsed.data, by, reason, at: clock.now() });
      if (made === null) return { outcome: 'accepted' };
      return { outcome: 'invited', expiresAt: made.expiresAt, locale: parsed.data.locale };
    },
  };
}

/** A sentence for operators. */
export function formatInvited(done: Exclude<Inviting, { problems: string[] }>): string {
  if (done.outcome === 'accepted')
    return 'Nothing was changed: this person has accepted an invitation before.';
  const until = new Date(done.expiresAt).toISOString().slice(0, 16).replace('T', ' ');
  return `Invited until ${until} UTC. The API host mails the link.`;
}
