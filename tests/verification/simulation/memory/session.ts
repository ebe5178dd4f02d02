import type { ActorKind } from '../../../../persistence/actors/actor-kinds.ts';
import type { JournalEntry } from '../../../../persistence/actors/actor-store.ts';
import { createRowLocks, type RowLocks } from './row-locks.ts';
import {
  type Changes,
  type Database,
  databaseError,
  emptyTables,
  type Rows,
  type TableName,
} from './tables.ts';

/**
 * One transaction of one connection on the in-memory database, at read committed: it sees what others have
 * committed and what it wrote itself; rows it touches are locked to its end; its changes appear together or not
 * at all. Always true: a failed statement makes the whole transaction fail, as in PostgreSQL.
 */
export interface Hops {
  /** A hop to the database and back; may be slow, fail, or never return. */
  hop(label: string): Promise<void>;
}

/** How one process reaches the database. */
export interface Connection extends Hops {
  server: Server;
  /** The process this connection belongs to. */
  owner: string;
}

export interface Server {
  /** What the server holds to which the address of the database leads. */
  database: Database;
  /** As `current_server()`. */
  identity: string;
  /** Another server may take its place, so workers move a heartbeat. */
  readonly mayForget: boolean;
  readonly locks: RowLocks;
  /** Open transactions by the connection's owner, so that a dead process leaves none behind. */
  readonly open: Map<string, Set<Session>>;
  /** The database's own clock, milliseconds since 1970. */
  now(): number;
  newId(): string;
  /** Called for each expired lease when its job is given to another holder. */
  takenOver(lease: { jobId: string; epoch: number }): void;
  /** Called after each commit. */
  committed(commit: Commit): void;
}

export interface Commit {
  at: number;
  /** When its transaction began. */
  begunAt: number;
  /** The rows that it changed, as they were before; null for a new one. */
  before: { table: TableName; id: string; row: unknown }[];
  /** Entries of the journal before it. */
  journalLength: number;
  entries: readonly JournalEntry[];
}

/** The server that was never promoted. */
export const ORIGINAL = 'server 1';

interface ServerOptions
  extends Pick<Server, 'now' | 'newId'>,
    Partial<Pick<Server, 'takenOver' | 'mayForget' | 'committed'>> {
  /** The database's own timer. */
  after?(ms: number, what: () => void): void;
}

export function createServer(given: ServerOptions): Server {
  return {
    database: { tables: emptyTables(), journal: [] },
    identity: ORIGINAL,
    mayForget: given.mayForget ?? true,
    locks: createRowLocks(given.after),
    open: new Map(),
    now: given.now,
    newId: given.newId,
    takenOver: given.takenOver ?? (() => {}),
    committed: given.committed ?? (() => {}),
  };
}

/** The server's reaction to a dead process: its transactions are rolled back, its locks released. */
export function dropConnections(server: Server, owner: string): void {
  for (const session of server.open.get(owner) ?? []) session.rollback();
  server.open.delete(owner);
}

/** Another server takes its place, and holds this database; every transaction under way is over. */
export function replaceServer(server: Server, to: Pick<Server, 'identity' | 'database'>): void {
  for (const session of [...server.open.values()].flatMap((sessions) => [...sessions])) session.cut();
  server.open.clear();
  server.locks.dropAll();
  server.identity = to.identity;
  server.database = to.database;
}

export class Session {
  readonly #server: Server;
  readonly #owner: string;
  readonly #changes: Changes = {};
  readonly #journal: JournalEntry[] = [];
  readonly #begunAt: number;
  #state: 'open' | 'failed' | 'over' = 'open';

  constructor(server: Server, owner: string) {
    this.#server = server;
    this.#owner = owner;
    this.#begunAt = server.now();
    const mine = server.open.get(owner) ?? new Set();
    server.open.set(owner, mine.add(this));
  }

  get server(): Server {
    return this.#server;
  }

  /** Takes a row's lock, waiting for its holder. */
  async lock(row: string): Promise<void> {
    this.#check();
    try {
      await this.#server.locks.take(this, row);
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
    this.#check();
  }

  tryLock(row: string): boolean {
    this.#check();
    return this.#server.locks.tryTake(this, row);
  }

  read<T extends TableName>(table: T, id: string): Rows[T] | null {
    this.#check();
    const mine = this.#changes[table]?.get(id) as Rows[T] | null | undefined;
    return mine !== undefined ? mine : (this.#server.database.tables[table].get(id) ?? null);
  }

  /** Every row, in the order of ids. */
  all<T extends TableName>(table: T): readonly Rows[T][] {
    this.#check();
    const committed = this.#server.database.tables[table];
    const mine = this.#changes[table];
    if (mine === undefined) return committed.inOrder();
    const ids = new Set([...committed.keys(), ...mine.keys()]);
    return [...ids].sort().flatMap((id) => this.read(table, id) ?? []);
  }

  write<T extends TableName>(table: T, id: string, row: Rows[T] | null): void {
    this.#check();
    const changes = this.#changes as Record<T, Map<string, Rows[T] | null> | undefined>;
    changes[table] ??= new Map();
    changes[table].set(id, row);
  }

  /** @throws an error with code 23505 when the condition fails, and the transaction fails with it. */
  unique(holds: boolean, constraint: string): void {
    if (holds) return;
    this.#state = 'failed';
    throw databaseError('23505', `duplicate key value violates unique constraint "${constraint}"`);
  }

  refuse(code: string, message: string): never {
    this.#state = 'failed';
    throw databaseError(code, message);
  }

  append(entry: JournalEntry): void {
    const same = (row: JournalEntry) =>
      row.kind === entry.kind && row.id === entry.id && row.seq === entry.seq;
    this.unique(
      !this.#server.database.journal.some(same) && !this.#journal.some(same),
      'actor_transitions_actorKind_actorId_seq_key',
    );
    this.#journal.push(entry);
  }

  lastEvent(kind: ActorKind, id: string, type: string): JournalEntry | null {
    const rows = [...this.#server.database.journal, ...this.#journal];
    return rows.findLast((row) => row.kind === kind && row.id === id && row.event.type === type) ?? null;
  }

  commit(): void {
    if (this.#state === 'failed') {
      this.rollback();
      throw new Error('the transaction was rolled back: a statement in it had failed');
    }
    this.#check();
    const { tables, journal } = this.#server.database;
    const before: Commit['before'] = [];
    const journalLength = journal.length;
    for (const name of Object.keys(this.#changes) as TableName[]) {
      for (const [id, row] of this.#changes[name] ?? []) {
        before.push({ table: name, id, row: tables[name].get(id) ?? null });
        if (row === null) tables[name].delete(id);
        else (tables[name] as Map<string, unknown>).set(id, row);
      }
    }
    for (const entry of this.#journal) journal.push({ ...entry, position: journal.length });
    this.#end();
    const at = this.#server.now();
    if (before.length > 0)
      this.#server.committed({ at, begunAt: this.#begunAt, before, journalLength, entries: this.#journal });
  }

  /** The server is gone. */
  cut(): void {
    this.#state = 'over';
  }

  rollback(): void {
    if (this.#state !== 'over') this.#end();
  }

  #end(): void {
    this.#state = 'over';
    this.#server.locks.releaseAll(this);
    this.#server.open.get(this.#owner)?.delete(this);
  }

  #check(): void {
    if (this.#state === 'open') return;
    if (this.#state === 'failed') throw databaseError('25P02', 'current transaction is aborted');
    throw databaseError('57P01', 'terminating connection');
  }
}
