import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

interface SunkMail {
  to: string;
  email: Email;
}

/**
 * An SMTP server that keeps what it accepts in memory; `refuse` makes it reject mail, `hold` makes it never
 * answer.
 */
export async function openSmtpSink() {
  const mails: SunkMail[] = [];
  const mode = { refuse: false, hold: false };
  let held = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', async () => {
        if (mode.hold) {
          held += 1;
          return;
        }
        if (mode.refuse) return callback(Object.assign(new Error('mailbox full'), { responseCode: 452 }));
        const email = await PostalMime.parse(Buffer.concat(chunks));
        for (const { address } of session.envelope.rcptTo) mails.push({ to: address, email });
        callback();
      });
    },
  });
  // A client that hangs up in the middle of a dialogue is part of the tests.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    mode,
    /** How many mails were never answered. */
    held: () => held,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
