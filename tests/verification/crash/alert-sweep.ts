import { parseArgs } from 'node:util';
import pg from 'pg';
import { sweepOnce } from '../../support/worlds/alert-world.ts';

/** A process with one sweep of alerts, which a test can kill. */
const { values } = parseArgs({ options: { database: { type: 'string' }, at: { type: 'string' } } });
const pool = new pg.Pool({ connectionString: values.database, max: 2 });
await sweepOnce(pool, { at: Number(values.at) });
await pool.end();
