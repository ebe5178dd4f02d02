import type { Random } from '../../../support/random.ts';
import type { Universe } from '../universe.ts';
import { type Commit, replaceServer, type Server } from './session.ts';
import { copyOf, type Database, type JournalRow } from './tables.ts';

/**
 * The servers of one database. Commits of the primary arrive at its standby later, in order. A promoted standby has
 * forgotten those that had not arrived. The server that it replaced may come back with its own disk, where nothing is known
 * of what happened since.
 */
export interface DatabaseServers {
  /** When everything committed until now is on the standby; null while there is none. */
  arrival(): number | null;
  promote(): void;
  /** Not before it was away for longer than a heartbeat may be old. */
  comeBack(): void;
}

export interface Replacement {
  how: 'promoted' | 'came back';
  from: Disk;
  to: Disk;
  /** Entries of the journal that only `from` has. */
  forgotten: readonly JournalRow[];
}
interface Disk {
  readonly identity: string;
  readonly database: Database;
}

const LAG_MS = [5, 1_000] as const;
const SLOW_LAG_MS = [2_500, 15_000] as const;
/** How long a slow standby stays slow. */
const SLOW_MS = [5_000, 60_000] as const;
/** A copy of a disk that starts sooner than 30 seconds after its last heartbeat is not found. */
const AWAY_MS = 35_000;
/** After a change of the primary, until it has a standby. */
const NEXT_STANDBY_MS = [30_000, 180_000] as const;

export function createDatabaseServers(options: {
  server: Server;
  universe: Universe;
  random: Random;
  /** The standby falls behind. */
  isSlow(): boolean;
  replaced(replacement: Replacement): void;
}): DatabaseServers & Pick<Server, 'committed'> {
  const { server, universe, random } = options;
  let onTheWay: (Commit & { arrivesAt: number })[] = [];
  let lastArrival = 0;
  let slowUntil = 0;
  let standbyFrom = 0;
  let count = 1;
  let abandoned: (Disk & { at: number }) | null = null;

  const arrival = (): number | null => {
    const now = universe.now();
    if (now < standbyFrom) return null;
    if (slowUntil < now && options.isSlow()) slowUntil = now + random.between(...SLOW_MS);
    const [least, most] = now < slowUntil ? SLOW_LAG_MS : LAG_MS;
    lastArrival = Math.max(lastArrival, now + random.between(least, most));
    return lastArrival;
  };
  const replace = (how: Replacement['how'], to: Disk) => {
    const from = { identity: server.identity, database: server.database };
    abandoned = { ...from, at: universe.now() };
    onTheWay = [];
    standbyFrom = universe.now() + random.between(...NEXT_STANDBY_MS);
    replaceServer(server, to);
    const kept = new Set(to.database.journal);
    options.replaced({ how, from, to, forgotten: from.database.journal.filter((row) => !kept.has(row)) });
  };
  return {
    arrival,
    committed(commit) {
      const arrivesAt = arrival();
      // The next standby will be made with all that is there.
      if (arrivesAt === null) return;
      onTheWay = onTheWay.filter((one) => one.arrivesAt > universe.now());
      onTheWay.push({ ...commit, arrivesAt });
    },
    promote() {
      if (universe.now() < standbyFrom) return;
      const tables = copyOf(server.database.tables);
      let journal = [...server.database.journal];
      for (const { arrivesAt, before, journalLength } of onTheWay.toReversed()) {
        if (arrivesAt <= universe.now()) break;
        for (const { table, id, row } of before)
          if (row === null) tables[table].delete(id);
          else (tables[table] as Map<string, unknown>).set(id, row);
        journal = journal.slice(0, journalLength);
      }
      count += 1;
      replace('promoted', { identity: `server ${count}`, database: { tables, journal } });
    },
    comeBack() {
      if (abandoned !== null && universe.now() - abandoned.at > AWAY_MS) replace('came back', abandoned);
    },
  };
}
