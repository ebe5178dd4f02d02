import type { Pool } from 'pg';

/** Tables that grow with the platform's use; of the others a scan costs nothing. */
const BIG_ROWS = 5_000;
const PLANNED = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

export interface Plans {
  readonly statements: number;
  /** `table: beginning of the statement`, for each sequential scan of a big table. */
  readonly scans: readonly string[];
}

/** Asks the planner about each statement with the values it was sent with; nothing is executed. */
export async function explainAll(
  pool: Pool,
  sent: readonly (readonly [string, unknown[]])[],
): Promise<Plans> {
  const big = await bigTables(pool);
  const scans: string[] = [];
  const planned = sent.filter(([text]) => PLANNED.test(text));
  for (const [text, values] of planned) {
    const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }];
    for (const table of scannedIn(plan))
      if (big.has(table)) scans.push(`${table}: ${text.replace(/\s+/g, ' ').trim().slice(0, 100)}`);
  }
  return { statements: planned.length, scans };
}

async function bigTables(pool: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND reltuples >= $1`,
    [BIG_ROWS],
  );
  return new Set(rows.map(({ name }) => name));
}

function scannedIn(node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap(scannedIn);
  return node['Node Type'].endsWith('Seq Scan') ? [node['Relation Name'] ?? '', ...below] : below;
}
