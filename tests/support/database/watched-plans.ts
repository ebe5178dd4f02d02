import type { Pool, QueryConfig } from 'pg';

/** The figures of one statement from EXPLAIN ANALYZE. */
export interface WatchedPlan {
  sql: string;
  /** Rows that its scans read, those included that a filter then left out. */
  rowsRead: number;
  /** Tables that were read from end to end. */
  walked: string[];
  /** Planning and execution, milliseconds. */
  ms: number;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}
interface Explained {
  Plan: PlanNode;
  'Planning Time': number;
  'Execution Time': number;
}

/** The pool, every statement of which is first explained and run for real in a transaction that is rolled back. */
export function watchPlans(pool: Pool): { pool: Pool; plans: WatchedPlan[] } {
  const plans: WatchedPlan[] = [];
  const explain = async (sql: string, values: unknown[]) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
        `explain (analyze, format json) ${sql}`,
        values,
      );
      const [found] = rows[0]?.['QUERY PLAN'] ?? [];
      if (!found) throw new Error('no plan');
      const scans = nodesOf(found.Plan).filter((node) => node['Node Type'].endsWith('Scan'));
      plans.push({
        sql,
        rowsRead: scans.reduce((sum, node) => sum + rowsOf(node), 0),
        walked: scans
          .filter((node) => node['Node Type'] === 'Seq Scan')
          .map((node) => node['Relation Name'] ?? ''),
        ms: found['Planning Time'] + found['Execution Time'],
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  const watched = {
    async query(given: string | QueryConfig, values: unknown[] = []) {
      const sql = typeof given === 'string' ? given : given.text;
      const used = typeof given === 'string' ? values : (given.values ?? []);
      await explain(sql, used);
      return pool.query(sql, used);
    },
  };
  return { pool: watched as unknown as Pool, plans };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops'];
