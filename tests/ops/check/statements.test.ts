// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { disagreements } from '../../../ops/check/statements/agreement.ts';
import { statementCalls } from '../../../ops/check/statements/statement-calls.ts';
import { sharedStack, temporaryDirectory } from '../../support/platform/stack.ts';

/** What the check says of a file with these lines, as `line what`. */
async function problemsOf(...lines: string[]): Promise<string[]> {
  const file = join(temporaryDirectory(), 'queries.ts');
  writeFileSync(file, [DATABASE, ...lines].join('\n'));
  const options = { strict: true, target: ts.ScriptTarget.ESNext, noEmit: true, types: [] };
  const program = ts.createProgram([file], options);
  const client = new pg.Client({ connectionString: sharedStack().databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`create type pg_temp.color as enum ('RED', 'BLUE');
    create temporary table chairs (id uuid, name text, legs int, price numeric, color pg_temp.color, "madeAt" timestamptz,
      tags text[], serial bigint)`);
  const calls = statementCalls(
    program,
    (name) => name === file,
    (_, line) => String(line - 1),
  );
  const unknown = calls.flatMap((call) => (call.unknown === null ? [] : [`${call.place} ${call.unknown}`]));
  return [...(await disagreements(program.getTypeChecker(), client, calls)), ...unknown];
}
const DATABASE =
  'declare const db: { query<Row = unknown>(text: string, values?: unknown[]): Promise<{ rows: Row[] }> };';

test('statements that agree with the schema have no problems, whatever they are put together from', async () => {
  expect(
    await problemsOf(
      'const COLUMNS = ["id", "name"]; const aliased = (alias: string) => COLUMNS.map((one) => `${alias}.${one}`).join(", ");',
      'db.query<{ id: string; name: string | null }>(`select ${aliased("c")} from chairs c where c.legs > $1`, [3]);',
      'db.query<{ madeAt: Date; price: string; serial: number }>(`select "madeAt", price, serial from chairs`);',
      'const TABLES = { wood: "chairs", steel: "chairs" } as const;',
      'function read(kind: keyof typeof TABLES, tall: boolean) { return db.query<{ tags: string[] }>(`select tags from ${TABLES[kind]} ${tall ? "where legs > 3" : ""}`); }',
    ),
  ).toEqual([]);
});

test('a mistake in the text is named in each of its variants', async () => {
  const problems = await problemsOf(
    'function read(column: "name" | "nome") { return db.query(`select ${column} from chairs`); }',
    'db.query("select id from stools");',
  );
  expect(problems).toEqual(['1 column "nome" does not exist', '2 relation "stools" does not exist']);
});

test('columns that are missing or of another type are named', async () => {
  const problems = await problemsOf(
    'db.query<{ id: string; legs: string; price: number }>("select id, legs, price from chairs");',
    'db.query<{ id: string; weight: number; height?: number }>("select id from chairs");',
    'db.query<{ color: "RED" | "GREEN" }>("select color from chairs");',
    'db.query<{ serial: string; tags: string }>("select serial, tags from chairs");',
  );
  expect(problems).toEqual([
    '1 "legs" is int4, and string in the row\'s type',
    '1 "price" is numeric, and number in the row\'s type',
    '2 "weight" is in the row\'s type, and not read',
    '3 "color" has GREEN in its type, which color does not have',
    '4 "serial" is int8, and string in the row\'s type',
    '4 "tags" is text[], and string in the row\'s type',
  ]);
});

test('parameters that are missing, too many or of another type are named', async () => {
  const problems = await problemsOf(
    'db.query("delete from chairs where id = $1 and legs = $2", ["a"]);',
    'db.query("delete from chairs where legs = $1", [true]);',
    'db.query("update chairs set tags = $1, \\"madeAt\\" = $2", ["one", 5]);',
  );
  expect(problems).toEqual([
    '1 has 2 parameters, and 1 are given',
    '2 $1 is int4, and true is given',
    '3 $1 is text[], and "one" is given',
    '3 $2 is timestamptz, and 5 is given',
  ]);
});

test('a text that is put together at run time is said to be unknown', async () => {
  const problems = await problemsOf('declare const table: string; db.query(`select id from ${table}`);');
  expect(problems).toEqual(['1 table: is known at run time only']);
});
