import type { BetterAuthOptions } from 'better-auth';
import type { Pool } from 'pg';
import { preferredLocale, type SiteLanguages } from '../../i18n/languages.ts';
import { isInvited } from '../../persistence/accounts/agent-invitations.ts';
import { endExcessSessions } from '../../persistence/accounts/sessions.ts';
import type { Clock } from '../../supervisors/ports.ts';
import type { WebConfig } from '../config/config.ts';
import { PublicError } from '../errors/errors.ts';
import { spelledAddress } from '../wire/mail-address.ts';
import { plainLine } from '../wire/text.ts';
import { MAX_USER_AGENT } from '../wire/user-agent.ts';
import type { RequestNotes } from './request-notes.ts';

const MAX_NAME_LENGTH = 100;

/** A name that the profile accepts: the app and the identity provider may send any value, even one that is not text. */
function nameFrom(sent: unknown): string {
  if (typeof sent !== 'string') return '';
  const text = sent
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
  // A person without a name is asked for one.
  return plainLine(MAX_NAME_LENGTH).safeParse(text).data ?? '';
}

/**
 * What better-auth may write into new rows of `user`, `session` and `account`, who may have an account, and which
 * sessions a new one ends.
 */
export const rowRules = ({
  pool,
  notes,
  clock,
  signUp,
  site,
}: {
  pool: Pool;
  notes: Pick<RequestNotes, 'madePerson' | 'during'>;
  clock: Clock;
  signUp: WebConfig['signUp'];
  site: SiteLanguages;
}): NonNullable<BetterAuthOptions['databaseHooks']> => {
  const requireInvitation = async (given: string): Promise<void> => {
    const email = spelledAddress(given);
    if (signUp === 'invited' && !(await isInvited(pool, { email, at: clock.now() })))
      await notes.during('INVITATION_REQUIRED', () => Promise.reject(new PublicError('INVITATION_REQUIRED')));
  };
  return {
    user: {
      create: {
        before: async (user, context) => {
          await requireInvitation(user.email);
          return {
            data: {
              ...user,
              // Avatars are uploaded here; an identity provider's picture would be a foreign URL.
              image: null,
              name: nameFrom(user.name),
              locale: preferredLocale(site, context?.headers?.get('accept-language')),
            },
          };
        },
        after: async () => notes.madePerson(),
      },
    },
    session: {
      create: {
        before: async (session) => ({
          data: { ...session, userAgent: session.userAgent?.slice(0, MAX_USER_AGENT) ?? null },
        }),
        after: ({ userId }) => endExcessSessions(pool, userId),
      },
    },
    account: {
      create: {
        // The API of an identity provider is never called, so its tokens are not stored.
        before: async (account) => ({
          data: { ...account, idToken: null, accessToken: null, refreshToken: null },
        }),
      },
    },
  };
};
