import pg from 'pg';
import { ON_TRUSTED_SERVER } from './server-identity.ts';

/**
 * Makes sure that claims are on a standby before anything is bought (CLAIM_DURABILITY=standby). A claim commits on the
 * primary alone; then one message in the log, written after it, is confirmed by a synchronous standby, so everything
 * before it is there too. Nothing waits while it holds a row. One connection of its own, because a late cancel would hit
 * the next statement of its session. After a crash nothing is left over. Source: ARCHITECTURE.md#failover.
 */
export interface ClaimConfirmation {
  /** True when everything committed before the call is on a standby; false when that is not known in time. */
  confirm(): Promise<boolean>;
  /** False for a few seconds after a confirmation failed: no claim is worth making. */
  isHopeful(): boolean;
  close(): Promise<void>;
}

export interface ClaimConfirmationOptions {
  /** An address that leads to the primary itself; a pooler in transaction mode cannot be canceled in time. */
  url: string;
  /** Cancels a wait that no standby ends. */
  cancel(backend: number): Promise<unknown>;
  now(): number;
  reportProblem(error: unknown): void;
}

/** A standby that takes longer counts as away. */
const CONFIRM_MS = 2_000;
/** After a cancel the server answers at once, or the connection is dead. */
const ANSWER_MS = 2_000;
const PAUSE_MS = 5_000;
/** "canceling wait for synchronous replication": committed here, on no standby. */
const NOT_REPLICATED = '01000';
/** On a server that was promoted since the claim, the message would say nothing about it. */
const CONFIRM = `
  SELECT pg_logical_emit_message(true, 'proscenium.claim', ''), set_config('synchronous_commit', 'on', true),
    current_setting('synchronous_standby_names') <> '' AND ${ON_TRUSTED_SERVER} AS "isKept"`;

export function createClaimConfirmation(options: ClaimConfirmationOptions): ClaimConfirmation {
  let client: Promise<Session> | null = null;
  let running: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;
  let hopelessUntil = Number.NEGATIVE_INFINITY;
  const drop = async () => {
    const last = client;
    client = null;
    await last?.then(
      (session) => session.end(),
      () => {},
    );
  };
  const run = async (): Promise<boolean> => {
    try {
      client ??= openSession(options);
      if (await (await client).confirm()) return true;
      throw new Error('no synchronous standby has confirmed a claim in time');
    } catch (error) {
      hopelessUntil = options.now() + PAUSE_MS;
      options.reportProblem(error);
      await drop();
      return false;
    }
  };
  const start = (): Promise<boolean> => {
    const own = run().finally(() => {
      if (running === own) running = null;
    });
    running = own;
    return own;
  };
  return {
    // A message under way may have been written before the caller's claim; the next one is after it, for all who wait.
    confirm() {
      if (running === null) return start();
      next ??= running.then(() => {
        next = null;
        return start();
      });
      return next;
    },
    isHopeful: () => options.now() >= hopelessUntil,
    async close() {
      await running;
      await drop();
    },
  };
}

interface Session {
  confirm(): Promise<boolean>;
  end(): Promise<void>;
}

async function openSession({ url, cancel }: ClaimConfirmationOptions): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'proscenium-claims',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: CONFIRM_MS + ANSWER_MS,
  });
  let warned = false;
  // The query in flight rejects on its own.
  client.on('error', () => {});
  client.on('notice', ({ code }) => {
    warned ||= code === NOT_REPLICATED;
  });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const backend = rows[0]?.pid ?? 0;
  return {
    async confirm() {
      warned = false;
      const timer = setTimeout(() => void cancel(backend).catch(() => {}), CONFIRM_MS);
      try {
        const answer = await client.query<{ isKept: boolean }>(CONFIRM);
        return answer.rows[0]?.isKept === true && !warned;
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => client.end().catch(() => {}),
  };
}
