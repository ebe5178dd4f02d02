import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openTestDatabase } from './legacy-database.ts';
import { insertRow } from './legacy-rows.ts';
import { giveVerdicts } from './photo-verdicts.ts';

type Row = Record<string, unknown>;

/** Of pictures without stored bytes. */
const CHECKSUM = 'ab'.repeat(32);

/** Rows of the current schema with every required column; each can be overridden. */
export class Rows {
  readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  user(row: Row = {}): Promise<string> {
    return insertRow(this.pool, '"user"', { name: 'Ada', email: `${randomUUID()}@example.org`, ...row });
  }

  async property(row: Row = {}): Promise<string> {
    const ownerAgentId = await this.user({ role: 'agent' });
    return insertRow(this.pool, 'properties', {
      ownerAgentId,
      listPrice: '450000.00',
      address: '1 Main St',
      city: 'Seattle',
      ...row,
    });
  }

  /** A property with an original photo. */
  async listing(): Promise<{ propertyId: string; originalId: string }> {
    const propertyId = await this.property();
    return { propertyId, originalId: await this.original(propertyId) };
  }

  async original(propertyId: string, row: Row = {}): Promise<string> {
    const imageId = await insertRow(this.pool, 'property_images', {
      propertyId,
      objectKey: `originals/${randomUUID()}`,
      outputChecksum: CHECKSUM,
      ...row,
    });
    await giveVerdicts(this.pool, imageId);
    return imageId;
  }

  staged(propertyId: string, styledFromId: string, row: Row = {}): Promise<string> {
    return insertRow(this.pool, 'property_images', {
      propertyId,
      styledFromId,
      isStyled: true,
      objectKey: `staged/${randomUUID()}`,
      outputChecksum: CHECKSUM,
      canonicalStyle: 'MODERN',
      reviewStatus: 'PENDING_REVIEW',
      ...row,
    });
  }

  job(row: Row = {}): Promise<string> {
    return insertRow(this.pool, 'ai_jobs', {
      type: 'ROOM_STAGING',
      status: 'PENDING',
      phase: 'QUEUED',
      dedupeKey: `staging:${randomUUID()}:MODERN`,
      ...row,
    });
  }

  async stagingJob(originalImageId: string, row: Row = {}): Promise<string> {
    const aiJobId = await this.job(row);
    await this.pool.query(
      `insert into ai_room_staging_jobs
        ("aiJobId", "originalImageId", "canonicalRoomType", "canonicalStyle", prompt, "promptVersion", "providerModel")
       values ($1, $2, 'BEDROOM', 'MODERN', 'a bed', 'v', 'm')`,
      [aiJobId, originalImageId],
    );
    return aiJobId;
  }

  attempt(aiJobId: string, row: Row = {}): Promise<string> {
    return insertRow(this.pool, 'ai_provider_attempts', {
      aiJobId,
      attemptNumber: 1,
      status: 'RESERVED',
      ...row,
    });
  }

  async one(table: string, id: string): Promise<Row> {
    const { rows } = await this.pool.query(`select * from ${table} where id = $1`, [id]);
    return rows[0];
  }
}

export interface ListingRows {
  rows: Rows;
  propertyId: string;
  originalId: string;
}

/** In a new database, which `closeTestDatabases` closes. */
export const openRows = async (): Promise<Rows> =>
  new Rows((await openTestDatabase({ migrated: true })).pool);
