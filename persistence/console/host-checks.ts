import type { Pool } from 'pg';
import { type Millis, toDate, withMillis } from '../database/instants.ts';

/** What operators ask the API host to check (0130): requested on the console, done by the API host. */
export const HOST_CHECKS_KEPT_DAYS = 1;

/** Null for what works, else the reason. */
export interface HostFindings {
  mail: string | null;
  map: string | null;
  /** Where the map's background comes from. */
  mapSource: 'built-in' | 'style' | 'pmtiles';
  /** Whether push notices are sent; a host of an earlier release does not say. */
  push?: 'on' | 'off';
}

interface Row {
  requestedAt: Date;
  /** Both null until the API host has done it. */
  endedAt: Date | null;
  findings: HostFindings | null;
}
export type HostCheck = Millis<Row>;

const HOUR_MS = 3_600_000;
const MOST_AN_HOUR = 10;

/** False when ten were requested within the hour. */
export async function requestHostCheck(
  pool: Pool,
  { email, at }: { email: string; at: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO host_checks (email, "requestedAt") SELECT $1, $2
     WHERE (SELECT count(*) FROM host_checks WHERE "requestedAt" > $3) < $4`,
    [email, toDate(at), toDate(at - HOUR_MS), MOST_AN_HOUR],
  );
  return rowCount === 1;
}

/** The latest one; null when none is kept. */
export async function latestHostCheck(pool: Pool): Promise<HostCheck | null> {
  const { rows } = await pool.query<Row>(
    `SELECT "requestedAt", "endedAt", findings FROM host_checks ORDER BY "requestedAt" DESC LIMIT 1`,
  );
  return rows[0] === undefined ? null : withMillis(rows[0]);
}

const INTERRUPTED: HostFindings = { mail: 'INTERRUPTED', map: 'INTERRUPTED', mapSource: 'built-in' };

/** Takes one that waits, null when none does. Its end is stored first, so a host that dies mails no one twice. */
export async function takeHostCheck(pool: Pool, at: number): Promise<{ id: string; email: string } | null> {
  const { rows } = await pool.query<{ id: string; email: string }>(
    `UPDATE host_checks SET "endedAt" = $1, findings = $2
     WHERE id = (SELECT id FROM host_checks WHERE "endedAt" IS NULL ORDER BY "requestedAt" LIMIT 1
                 FOR UPDATE SKIP LOCKED)
     RETURNING id, email`,
    [toDate(at), JSON.stringify(INTERRUPTED)],
  );
  return rows[0] ?? null;
}

export async function endHostCheck(
  pool: Pool,
  { id, findings, at }: { id: string; findings: HostFindings; at: number },
): Promise<void> {
  await pool.query(`UPDATE host_checks SET "endedAt" = $2, findings = $3 WHERE id = $1`, [
    id,
    toDate(at),
    JSON.stringify(findings),
  ]);
}
