import { newDeviceSignIn, type SignInMail, signInMails } from '../../persistence/accounts/sign-in-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { readerOf } from './mailed-site.ts';
import { renderSignInMail } from './sign-in-mail.ts';

/** Mails people that someone signed in to their account on a new device (docs/contract.md#mail). */
export const createSignInMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, { ...signInMails, name: 'sign-in-mails', what: 'a mail about a sign-in', compose });

/** It cannot be switched off and never waits: an attacker would make use of either. */
async function compose({ pool, site }: MailPorts, mail: SignInMail): Promise<ComposedMail | null> {
  const signIn = await newDeviceSignIn(pool, mail);
  const reader = signIn === null ? null : await readerOf({ pool, site }, signIn.userId);
  if (!signIn || !reader) return null;
  return {
    countedFor: null,
    to: reader.email,
    id: `${mail.id}.sign-in`,
    news: renderSignInMail({ signIn, locale: reader.locale, site }),
  };
}
