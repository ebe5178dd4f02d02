import type pg from 'pg';
import type ts from 'typescript';
import { describeStatement } from './described.ts';
import { parameterProblems, rowProblems, type SqlType, type SqlTypes } from './row-types.ts';
import type { StatementCall } from './statement-calls.ts';

/**
 * Has PostgreSQL parse every statement of `calls`, and compares what it says with the compiler's types.
 * @param client of a database with the schema of the code
 * @returns a line for each thing that does not agree, each once
 */
export async function disagreements(
  checker: ts.TypeChecker,
  client: pg.Client,
  calls: readonly StatementCall[],
): Promise<string[]> {
  const types = await sqlTypes(client);
  const problems = new Set<string>();
  for (const { place, statements, row, parameters: given } of calls)
    for (const { text, names } of statements) {
      const described = await describeStatement(client, text).catch((error: Error) => error);
      if (described instanceof Error) {
        problems.add(`${place} ${described.message}`);
        continue;
      }
      const { columns, parameters } = described;
      const found = [
        ...(row === null ? [] : rowProblems(checker, row, columns, types)),
        ...parameterProblems(checker, { given, names }, parameters, types),
      ];
      for (const problem of found) problems.add(`${place} ${problem}`);
    }
  return [...problems];
}

async function sqlTypes(client: pg.Client): Promise<SqlTypes> {
  const { rows } = await client.query<SqlType & { oid: number }>(`
    select t.oid::int as oid, coalesce(e.typname, t.typname)::text as name, e.oid is not null as "isArray",
      (select array_agg(enumlabel::text) from pg_enum where enumtypid = coalesce(e.oid, t.oid)) as labels
    from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'`);
  return new Map(rows.map((row) => [row.oid, row]));
}
