import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';

/**
 * Listens for SMTP on 127.0.0.1 and stores each message as `<mailDir>/<timestamp>-<to>.eml` instead of sending it.
 * A message is accepted once its file is complete; after a crash before that, the sender gets a failure.
 */
export interface MailSink {
  url: string;
  close(): Promise<void>;
}

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

export async function openMailSink(mailDir: string, port: number): Promise<MailSink> {
  await mkdir(mailDir, { recursive: true });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: MAX_MESSAGE_BYTES,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (stream.sizeExceeded) return callback(new Error('message too large'));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        keep({ mailDir, recipients, message: Buffer.concat(chunks) }).then(() => callback(), callback);
      });
    },
  });
  const listening = server.listen(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    listening.once('listening', resolve);
    server.once('error', reject);
  });
  // A client that disconnects early must not end the sink.
  server.on('error', () => undefined);
  const address = listening.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `smtp://127.0.0.1:${bound}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

let sequence = 0;

async function keep(mail: { mailDir: string; recipients: string[]; message: Buffer }): Promise<void> {
  for (const to of mail.recipients) {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
    sequence += 1;
    const name = `${stamp}-${String(sequence).padStart(4, '0')}-${to.replaceAll(/[^\w.@+-]/g, '_')}.eml`;
    const file = join(mail.mailDir, name);
    await writeFile(`${file}.part`, mail.message, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }
}
