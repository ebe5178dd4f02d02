import pg, { type Pool } from 'pg';
import { ON_TRUSTED_SERVER } from '../database/server-identity.ts';

/**
 * Makes sure that what must not be forgotten is on a standby before anything follows from it (CLAIM_DURABILITY=standby):
 * a claim before the purchase, a withdrawal before its answer. It commits on the primary alone; then one message in the
 * log, written after it, is confirmed by a synchronous standby, so everything before it is there too. Nothing waits while
 * it holds a row. It has a separate connection, because a late cancel would hit the next statement of its session. After a
 * crash nothing is left over. Source: ARCHITECTURE.md#failover.
 */
export interface StandbyConfirmation {
  /**
   * The server whose standby has everything that was committed there before the call; null when that is not known in
   * time. A server that was promoted meanwhile says nothing about what was committed before.
   */
  confirm(): Promise<ConfirmedServer | null>;
  /** Since the first failure after the last success; 0 while confirmations succeed. Milliseconds. */
  unconfirmedMs(): number;
  /** False for a few seconds after a confirmation failed: no claim is worth making. */
  isHopeful(): boolean;
  close(): Promise<void>;
}

interface ConfirmedServer {
  server: string;
  /** The pause switch trusts it. */
  isTrusted: boolean;
}

export interface StandbyConfirmationOptions {
  /** `openConfirmingSession`; called again after each failure. */
  open(): Promise<ConfirmingSession>;
  now(): number;
  reportProblem(error: unknown): void;
}

/** A connection for confirmations alone. */
export interface ConfirmingSession {
  /** Null when no standby has answered in time. */
  confirm(): Promise<ConfirmedServer | null>;
  end(): Promise<void>;
}

/** A standby that takes longer counts as away. */
const CONFIRM_MS = 2_000;
/** After a cancel the server answers at once, or the connection is dead. */
const ANSWER_MS = 2_000;
const PAUSE_MS = 5_000;
/** "canceling wait for synchronous replication": committed here, on no standby. */
const NOT_REPLICATED = '01000';
const CONFIRM = `
  SELECT pg_logical_emit_message(true, 'proscenium.confirmed', ''), set_config('synchronous_commit', 'on', true),
    current_setting('synchronous_standby_names') <> '' AS "hasStandbys", current_server() AS server,
    ${ON_TRUSTED_SERVER} AS "isTrusted"`;

export function createStandbyConfirmation(options: StandbyConfirmationOptions): StandbyConfirmation {
  let client: Promise<ConfirmingSession> | null = null;
  let running: Promise<ConfirmedServer | null> | null = null;
  let next: Promise<ConfirmedServer | null> | null = null;
  let hopelessUntil = Number.NEGATIVE_INFINITY;
  let failedSince: number | null = null;
  const drop = async () => {
    const last = client;
    client = null;
    await last?.then(
      (session) => session.end(),
      () => {},
    );
  };
  const run = async (): Promise<ConfirmedServer | null> => {
    try {
      client ??= options.open();
      const confirmed = await (await client).confirm();
      if (confirmed === null) throw new Error('no synchronous standby has confirmed a commit in time');
      failedSince = null;
      return confirmed;
    } catch (error) {
      hopelessUntil = options.now() + PAUSE_MS;
      failedSince ??= options.now();
      options.reportProblem(error);
      await drop();
      return null;
    }
  };
  const start = (): Promise<ConfirmedServer | null> => {
    const own = run().finally(() => {
      if (running === own) running = null;
    });
    running = own;
    return own;
  };
  return {
    // A message under way may have been written before the caller's commit; the next one is after it, for all who wait.
    confirm() {
      if (running === null) return start();
      next ??= running.then(() => {
        next = null;
        return start();
      });
      return next;
    },
    unconfirmedMs: () => (failedSince === null ? 0 : options.now() - failedSince),
    isHopeful: () => options.now() >= hopelessUntil,
    async close() {
      await running;
      await drop();
    },
  };
}

/**
 * Does the work, and says whether a standby has what it committed. The decision may be of an earlier call, so this holds
 * whatever the work returns. Another server than before the work says nothing about what was committed there.
 */
export async function durably<T>(
  { server, confirmation }: DurablePorts,
  work: () => Promise<T>,
): Promise<{ result: PromiseSettledResult<T>; isDurable: boolean }> {
  const before = await server().catch(() => null);
  const [result] = await Promise.allSettled([work()]);
  const confirmed = before === null ? null : await confirmation.confirm();
  return { result, isDurable: confirmed !== null && confirmed.server === before };
}

export interface DurablePorts {
  /** The server that the work will be done on: `currentServer`. */
  server(): Promise<string | null>;
  confirmation: Pick<StandbyConfirmation, 'confirm'>;
}

export async function currentServer(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ server: string }>('SELECT current_server() AS server');
  return rows[0]?.server ?? null;
}

/**
 * @param url leads to the primary itself; a pooler in transaction mode cannot be canceled in time
 * @param pool cancels a wait that no standby ends
 */
export async function openConfirmingSession({
  url,
  pool,
}: {
  url: string;
  pool: Pick<Pool, 'query'>;
}): Promise<ConfirmingSession> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'proscenium-confirmations',
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
      const timer = setTimeout(
        () => void pool.query('SELECT pg_cancel_backend($1)', [backend]).catch(() => {}),
        CONFIRM_MS,
      );
      try {
        const { rows } = await client.query<ConfirmedServer & { hasStandbys: boolean }>(CONFIRM);
        const [answer] = rows;
        if (answer?.hasStandbys !== true || warned) return null;
        return { server: answer.server, isTrusted: answer.isTrusted };
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => client.end().catch(() => {}),
  };
}
