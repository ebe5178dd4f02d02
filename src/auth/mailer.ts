/**
 * Mail over SMTP (docs/contract.md#mail). It owns a small pool of connections and nothing durable: a mail is accepted
 * within the time limit, or the call fails. It never repeats a send; a person who misses a code requests another.
 */
import { createTransport } from 'nodemailer';
import type { Logger } from '../telemetry/logger.ts';
import { type OtpMail, renderOtpMail } from './otp-mail.ts';

export interface MailerOptions {
  /** smtp:// or smtps://, with user and password. */
  smtpUrl: string;
  from: string;
  logger: Logger;
  /** From the call to the server's acceptance; default 10000. */
  timeoutMs?: number;
}

export interface Mailer {
  /** Resolves when the server has accepted the mail; rejects with MailUnavailable. */
  sendOtp(mail: OtpMail): Promise<void>;
  /** Ends idle connections; a mail under way is given up. */
  close(): void;
}

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

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 4;

/** The client's error message repeats addresses and server text; its code does not. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new MailUnavailable('DEADLINE')), timeoutMs);
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export function createMailer({
  smtpUrl,
  from,
  logger,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: MailerOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    sendOtp: async (mail) => {
      const message = {
        from,
        // As an object, so that no spelling of an address can become two.
        to: { name: '', address: mail.to },
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...renderOtpMail(mail),
      };
      try {
        await within(timeoutMs, transport.sendMail(message));
      } catch (error) {
        const failure = error instanceof MailUnavailable ? error : new MailUnavailable(reasonOf(error));
        logger.error({ event: 'mail_failed', reason: failure.reason }, 'a mail with a code was not accepted');
        throw failure;
      }
    },
    close: () => transport.close(),
  };
}
