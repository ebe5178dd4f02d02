import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { dueMails } from '../mails/due-mails.ts';
import { SAMPLE_MODEL } from '../sample/sample-town.ts';

/** Of the transaction's lock; a number that no other lock has. */
const LOCK = 7_431_904;
/** Records of one entry. What is more comes in the next one. */
export const MOST_RECORDS = 10_000;

/** A provenance record as it was written: nothing of it ever changes. */
export interface LoggedRecord {
  stagedImageId: string;
  propertyId: string;
  originalImageId: string;
  aiJobId: string | null;
  attemptNumber: number | null;
  originalChecksum: string;
  outputChecksum: string;
  providerModel: string | null;
  promptVersion: string | null;
  canonicalStyle: string | null;
  legacyStyle: string | null;
  roomType: string | null;
  framing: string | null;
  requestedByUserId: string | null;
  approvedByUserId: string | null;
  approverRole: string | null;
  approverOffice: string | null;
  disclosureLabel: string;
  requestedAt: Date | null;
  stagedAt: Date;
  approvedAt: Date | null;
  recordedAt: Date;
}

/** An entry without what is computed from it. `day` as `2026-11-28`, in UTC; hashes in hex. */
export interface LogFacts {
  number: number;
  day: string;
  records: number;
  root: string;
  /** The head of the entry before; null for the first one. */
  previous: string | null;
}

/** An entry of the log: the hashes of all records since the entry before (docs/contract.md#the-log-of-records). */
export interface LogEntry extends LogFacts {
  head: string;
  /** ECDSA in DER, base64, with the key of `certificate` in PEM; both null when nothing signs here. */
  signature: string | null;
  certificate: string | null;
}

/** The head of an entry, for a witness. */
export interface WitnessMail {
  readonly entry: number;
  readonly email: string;
}
export const witnessMails = dueMails<WitnessMail>('witness_mails', ['entry', 'email']);

/** The place of a record in the log, and what proves it. */
export interface LoggedPlace {
  record: LoggedRecord;
  /** Null until its entry is made. */
  place: { entry: LogEntry; position: number; leaves: Buffer[] } | null;
}

const ENTRY = `number, to_char(day, 'YYYY-MM-DD') AS day, records, root, previous, head, signature, certificate`;
const RECORD = `"stagedImageId", "propertyId", "originalImageId", "aiJobId", "attemptNumber", "originalChecksum",
  "outputChecksum", "providerModel", "promptVersion", "canonicalStyle", "legacyStyle", "roomType", framing,
  "requestedByUserId", "approvedByUserId", "approverRole", "approverOffice", "disclosureLabel", "requestedAt",
  "stagedAt", "approvedAt", "recordedAt"`;

/**
 * Adds the entry of yesterday, UTC, for all records of past days that are in none yet, unless it is there. Records of the
 * sample are in none, because they can be removed. The database
 * says which day it is. A record that came late, by a wrong clock or after an outage, is in the next entry.
 * @param witnesses mail addresses that get its head
 * @param make computes the hashes of the records, in their order, and the entry
 * @returns false when nothing more is due, or another process is at it
 */
export function addLogEntry(
  pool: Pool,
  witnesses: readonly string[],
  make: (
    records: LoggedRecord[],
    last: Pick<LogEntry, 'number' | 'head'> | null,
    day: string,
  ) => { entry: LogEntry; hashes: Buffer[] },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows: turns } = await client.query<{ isAlone: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS "isAlone"',
      [LOCK],
    );
    if (!turns[0]?.isAlone) return false;
    const [last] = (await client.query<LogEntry>(LAST_ENTRY)).rows;
    const { rows: days } = await client.query<{ yesterday: string; midnight: Date }>(
      `SELECT to_char(today - 1, 'YYYY-MM-DD') AS yesterday, today AT TIME ZONE 'UTC' AS midnight
       FROM (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS today) now`,
    );
    const { yesterday, midnight } = days[0] ?? { yesterday: '', midnight: new Date(0) };
    // A full entry is not the last of its day.
    if (last !== undefined && last.day >= yesterday && last.records < MOST_RECORDS) return false;
    const { rows: records } = await client.query<LoggedRecord>(
      `SELECT ${RECORD} FROM provenance_records r WHERE "recordedAt" < $1
         AND r."providerModel" IS DISTINCT FROM '${SAMPLE_MODEL}'
         AND NOT EXISTS (SELECT FROM provenance_log_leaves l WHERE l."stagedImageId" = r."stagedImageId")
       ORDER BY "stagedImageId" LIMIT ${MOST_RECORDS}`,
      [midnight],
    );
    const { entry, hashes } = make(records, last ?? null, yesterday);
    await write(client, { entry, records, hashes });
    await client.query(
      'INSERT INTO witness_mails (entry, email) SELECT DISTINCT $1::int, unnest($2::text[])',
      [entry.number, witnesses],
    );
    return records.length === MOST_RECORDS;
  });
}

const LAST_ENTRY = `SELECT ${ENTRY} FROM provenance_log ORDER BY provenance_log.number DESC LIMIT 1`;

async function write(
  client: PoolClient,
  { entry, records, hashes }: { entry: LogEntry; records: LoggedRecord[]; hashes: Buffer[] },
): Promise<void> {
  const { number, day, root, previous, head, signature, certificate } = entry;
  await client.query(
    `INSERT INTO provenance_log (number, day, records, root, previous, head, signature, certificate)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [number, day, entry.records, root, previous, head, signature, certificate],
  );
  await client.query(
    `INSERT INTO provenance_log_leaves ("stagedImageId", entry, position, hash)
     SELECT id, $1, place - 1, decode(hash, 'hex')
     FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS leaf (id, hash, place)`,
    [number, records.map(({ stagedImageId }) => stagedImageId), hashes.map((hash) => hash.toString('hex'))],
  );
}

/** The latest entries before the given number, the latest first. */
export async function readLog(
  pool: Pool,
  { before, limit }: { before: number | null; limit: number },
): Promise<LogEntry[]> {
  const { rows } = await pool.query<LogEntry>(
    `SELECT ${ENTRY} FROM provenance_log WHERE $1::int IS NULL OR provenance_log.number < $1
     ORDER BY provenance_log.number DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}

/** A record with its place in the log; null when the picture has no record. */
export async function readLoggedPlace(pool: Pool, stagedImageId: string): Promise<LoggedPlace | null> {
  const { rows } = await pool.query<LoggedRecord>(
    `SELECT ${RECORD} FROM provenance_records WHERE "stagedImageId" = $1`,
    [stagedImageId],
  );
  const [record] = rows;
  if (record === undefined) return null;
  const { rows: found } = await pool.query<LogEntry & { position: number }>(
    `SELECT ${ENTRY}, l.position FROM provenance_log_leaves l JOIN provenance_log ON provenance_log.number = l.entry
     WHERE l."stagedImageId" = $1`,
    [stagedImageId],
  );
  if (found[0] === undefined) return { record, place: null };
  const { position, ...entry } = found[0];
  const { rows: leaves } = await pool.query<{ hash: Buffer }>(
    'SELECT hash FROM provenance_log_leaves WHERE entry = $1 ORDER BY position',
    [entry.number],
  );
  return { record, place: { entry, position, leaves: leaves.map(({ hash }) => hash) } };
}
