import { newDeviceSignIn, type SignInMail, signInMails } from '../../persistence/accounts/sign-in-mails.ts';
import { mailReader } from '../../persistence/listings/due-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { createMailSender, type MailPorts } from './mail-sender.ts';
import { renderSignInMail } from './sign-in-mail.ts';

/** Mails people that someone signed in to their account on a new device (docs/contract.md#mail). */
export const createSignInMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, { ...signInMails, name: 'sign-in-mails', what: 'a mail about a sign-in', settle });

/** It cannot be switched off: whoever took the account over would do that first. */
async function settle({ pool, mailer, origin }: MailPorts, mail: SignInMail): Promise<void> {
  const signIn = await newDeviceSignIn(pool, mail);
  const reader = signIn === null ? null : await mailReader(pool, signIn.userId);
  if (!signIn || !reader) return;
  const { locale, email } = reader;
  await mailer.sendNews({
    to: email,
    id: `${mail.id}.sign-in`,
    ...renderSignInMail({ signIn, locale, origin }),
  });
}
