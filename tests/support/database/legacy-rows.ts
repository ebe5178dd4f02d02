import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Rows as the legacy platform wrote them, for databases that stand at migration 0007. */

export interface LegacyImage {
  propertyId: string;
  objectKey?: string;
  position?: number;
  isMain?: boolean;
  isStyled?: boolean;
  styledFromId?: string | null;
  style?: string | null;
  aiJobId?: string | null;
  createdAt?: string;
  id?: string;
}

export interface LegacyJob {
  id?: string;
  type?: string;
  status?: string;
  userId?: string | null;
  propertyId?: string | null;
  payload?: Record<string, unknown>;
  error?: string | null;
  createdAt?: string;
}

export async function insertRow(
  pool: pg.Pool | pg.PoolClient,
  table: string,
  row: Record<string, unknown>,
): Promise<string> {
  const filled: Record<string, unknown> = { id: randomUUID(), ...row };
  const columns = Object.keys(filled).map((column) => `"${column}"`);
  const places = columns.map((_, index) => `$${index + 1}`);
  await pool.query(`insert into ${table} (${columns}) values (${places})`, Object.values(filled));
  return String(filled.id);
}

export class LegacyPlatform {
  readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  async property(): Promise<string> {
    const owner = await insertRow(this.pool, '"user"', {
      name: 'Ada',
      email: `${randomUUID()}@example.org`,
      role: 'agent',
    });
    return insertRow(this.pool, 'properties', {
      ownerAgentId: owner,
      listPrice: '450000.00',
      address: '1 Main St',
      city: 'Seattle',
    });
  }

  /** An original photo; the object key is unique by default. */
  original(image: LegacyImage): Promise<string> {
    return insertRow(this.pool, 'property_images', { objectKey: `originals/${randomUUID()}`, ...image });
  }

  /** A staged row of `styledFromId`. */
  staged(image: LegacyImage & { style: string | null }): Promise<string> {
    return insertRow(this.pool, 'property_images', {
      objectKey: `staged/${randomUUID()}`,
      isStyled: true,
      ...image,
    });
  }

  job(job: LegacyJob): Promise<string> {
    return insertRow(this.pool, 'ai_jobs', { type: 'stage-room', status: 'queued', ...job });
  }
}
