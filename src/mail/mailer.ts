/**
 * Mail over SMTP (docs/contract.md#mail). It owns two small pools of connections and nothing durable: a mail is accepted
 * within the time limit, or the call fails. It never repeats a send; a person who misses a code requests another.
 */
import type { SendMailOptions } from 'nodemailer';
import { siteName } from '../../i18n/translator.ts';
import { loadedOnce } from '../loaded-once.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { MailOutcome } from '../telemetry/metrics.ts';
import { isTimeout, within } from '../time.ts';
import type { CalendarFile } from '../wire/calendar-file.ts';
import type { MailBrand } from './mail-layout.ts';
import { type News, newsPage, newsText } from './news-page.ts';
import { type OtpMail, renderOtpMail } from './otp-mail.ts';

export type Mailer = ReturnType<typeof createMailer>;

/** The mail was not accepted in time. Try again later; nothing is known to have been sent. */
export class MailUnavailable extends Error {
  readonly code = 'MAIL_UNAVAILABLE';
  /** The mail client's code, such as ECONNECTION, ETIMEDOUT or EENVELOPE. */
  readonly reason: string;

  constructor(reason: string) {
    super(`mail was not accepted: ${reason}`);
    this.name = 'MailUnavailable';
    this.reason = reason;
  }
}

/** A mail about something that has changed. */
export interface NewsMail {
  readonly to: string;
  /** The same for a mail that is sent again, so that the reader's program shows it once. */
  readonly id: string;
  readonly news: News;
}

type MailContent = Pick<SendMailOptions, 'subject' | 'text' | 'html' | 'messageId' | 'attachments'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** Codes have connections of their own: they never wait behind news. */
const LANES = { codes: 2, news: 4 } as const;
type Lane = keyof typeof LANES;

/** Mail programs read the method here, to add the entry or to remove it. */
const attached = ({ method, text }: CalendarFile) => ({
  filename: 'tour.ics',
  contentType: `text/calendar; charset=utf-8; method=${method}`,
  content: text,
});

/** Mail programs show a button of their own for these (RFC 8058). */
const oneClick = (address: string) => ({
  'List-Unsubscribe': `<${address}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The client's error message repeats addresses and server text; its code does not. */
function reasonOf(error: unknown): string {
  if (isTimeout(error)) return 'DEADLINE';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
}

/**
 * @param smtpUrl smtp:// or smtps://, with user and password
 * @param site the brand of the mails
 * @param from an address, which gets the name of the site, or `Name <address>`
 * @param timeoutMs from the call to the server's acceptance
 */
export function createMailer({
  smtpUrl,
  from,
  site,
  logger,
  count = () => {},
  timeoutMs = 10_000,
}: {
  smtpUrl: string;
  from: string;
  site: MailBrand;
  logger: Logger;
  count?(outcome: MailOutcome): void;
  timeoutMs?: number;
}) {
  const transportOf = (lane: Lane) =>
    loadedOnce(async () =>
      (await import('nodemailer')).createTransport({
        url: smtpUrl,
        pool: true,
        maxConnections: LANES[lane],
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    );
  const transports = { codes: transportOf('codes'), news: transportOf('news') };
  const sender = from.includes('<') ? from : { name: siteName(), address: from };
  const send = async (lane: Lane, to: string, content: MailContent): Promise<void> => {
    const message = {
      from: sender,
      // An object, because some spellings of an address would be parsed as two addresses.
      to: { name: '', address: to },
      ...content,
      headers: { 'Auto-Submitted': 'auto-generated', ...content.headers },
    };
    try {
      await within(timeoutMs, async () => (await transports[lane]()).sendMail(message));
      count('accepted');
    } catch (error) {
      count('not_accepted');
      throw new MailUnavailable(reasonOf(error));
    }
  };
  const messageHost = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    /** Resolves when the server has accepted the mail; rejects with MailUnavailable. */
    sendOtp: async (mail: OtpMail): Promise<void> => {
      try {
        await send('codes', mail.to, await renderOtpMail(mail, site));
      } catch (error) {
        if (error instanceof MailUnavailable)
          logger.error({ event: 'mail_failed', reason: error.reason }, 'a mail with a code was not accepted');
        throw error;
      }
    },
    /** Resolves when the server has accepted the mail; rejects with MailUnavailable. */
    sendNews: async ({ to, id, news }: NewsMail): Promise<void> =>
      send('news', to, {
        subject: news.subject,
        text: newsText(news, site),
        html: await newsPage(news, site),
        messageId: `<${id}@${messageHost}>`,
        headers:
          news.unsubscribe === undefined
            ? {}
            : oneClick(news.unsubscribe.oneClick ?? news.unsubscribe.address),
        ...(news.calendar == null ? {} : { attachments: [attached(news.calendar)] }),
      }),
    /** Closes idle connections; a send in progress is aborted. */
    close: async (): Promise<void> => {
      for (const transport of Object.values(transports)) (await transport.loaded())?.close();
    },
  };
}
