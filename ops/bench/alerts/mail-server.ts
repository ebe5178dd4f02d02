import { SMTPServer } from 'smtp-server';

/** A mail server that takes nine mails of ten, and counts the ids of those that it took. */
const REFUSED_EVERY = 10;

export interface RefusingMailServer {
  readonly url: string;
  readonly refused: number;
  /** How often each message id was taken. */
  readonly taken: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<RefusingMailServer> {
  const taken = new Map<string, number>();
  let seen = 0;
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        seen += 1;
        if (seen % REFUSED_EVERY === 0) {
          refused += 1;
          return callback(Object.assign(new Error('try again later'), { responseCode: 451 }));
        }
        const id = /^message-id:\s*<([^>@]+)@/im.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? '';
        taken.set(id, (taken.get(id) ?? 0) + 1);
        callback();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    listening.once('listening', resolve);
    server.once('error', reject);
  });
  server.on('error', () => undefined);
  const address = listening.address();
  if (typeof address !== 'object' || address === null) throw new Error('The mail server does not listen.');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    taken,
    get refused() {
      return refused;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
