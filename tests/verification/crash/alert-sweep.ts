import { parseArgs } from 'node:util';
import pg from 'pg';
import { sweepOnce } from '../../support/worlds/alert-world.ts';

/** One sweep of alerts in a process of its own, which a test can kill. */
const { values } = parseArgs({ options: { database: { type: 'string' }, at: { type: 'string' } } });
const pool = new pg.Pool({ connectionString: values.database, max: 2 });
await sweepOnce(pool, { at: Number(values.at) });
await pool.end();
