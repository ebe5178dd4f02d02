import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { StackError, waitUntil } from './lifecycle.ts';

/** A message that the mail sink stored. */
export interface KeptMail {
  file: string;
  /** When the sink accepted it (ms epoch). */
  receivedAt: number;
  email: Email;
}

export interface MailSearch {
  /** The recipient's address. */
  to: string;
  /** Only messages accepted at or after this moment (ms epoch). */
  since?: number;
  timeoutMs?: number;
}

/** All messages for `to`, oldest first. */
export async function readMail(mailDir: string, { to, since = 0 }: MailSearch): Promise<KeptMail[]> {
  const suffix = `-${to.replaceAll(/[^\w.@+-]/g, '_')}.eml`.toLowerCase();
  const names = (await readdir(mailDir)).filter((name) => name.toLowerCase().endsWith(suffix)).sort();
  const mails: KeptMail[] = [];
  for (const name of names) {
    const file = join(mailDir, name);
    const { mtimeMs } = await stat(file);
    if (mtimeMs < since) continue;
    mails.push({ file, receivedAt: mtimeMs, email: await PostalMime.parse(await readFile(file)) });
  }
  return mails;
}

/**
 * The newest message for `to`, waiting for it at most `timeoutMs` (default 15 s).
 * @throws StackError MAIL_NOT_SEEN
 */
export async function waitForMail(mailDir: string, search: MailSearch): Promise<KeptMail> {
  let newest: KeptMail | undefined;
  const { timeoutMs = 15_000 } = search;
  const seen = async () => {
    newest = (await readMail(mailDir, search)).at(-1);
    return newest !== undefined;
  };
  await waitUntil(seen, { timeoutMs, intervalMs: 50 });
  if (newest) return newest;
  throw new StackError(
    'MAIL_NOT_SEEN',
    `No mail for ${search.to} arrived in ${mailDir} within ${timeoutMs} ms.`,
  );
}
