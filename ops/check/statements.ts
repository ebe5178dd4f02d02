import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import ts from 'typescript';
import { migrate } from '../../persistence/migrations/migrator.ts';
import { startPostgres } from '../dev/stack/postgres.ts';
import { discardCluster } from '../dev/stack/postgres-cluster.ts';
import { disagreements } from './statements/agreement.ts';
import { statementCalls } from './statements/statement-calls.ts';

/**
 * Every SQL statement of the product agrees with the schema of the migrations: PostgreSQL parses it, has the columns of
 * the row's type with their types, and takes the parameters that are given. Columns that may hold null are not checked:
 * PostgreSQL does not say whether an expression is null. Statements whose text is put together when they run are left to
 * the tests; their number is printed.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READ = ['persistence', 'supervisors', 'src'];
/** Migrations are run whole by the check of the schema. */
const NOT_READ = 'persistence/migrations/';
/** Tables that a transaction makes for itself. */
const TEMPORARY = 'create temporary table gone (what text, id uuid)';

function readSources(): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram(fileNames.filter(isRead), options);
}
function isRead(file: string): boolean {
  const path = relative(ROOT, file);
  return READ.some((folder) => path.startsWith(`${folder}/`)) && !path.startsWith(NOT_READ);
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'proscenium-statements-'));
  const server = await startPostgres({ dataDir, durable: false });
  const client = new pg.Client({ connectionString: server.url });
  try {
    await migrate(server.url);
    await client.connect();
    await client.query(TEMPORARY);
    const program = readSources();
    const calls = statementCalls(program, isRead, (file, line) => `${relative(ROOT, file)}:${line}`);
    const problems = await disagreements(program.getTypeChecker(), client, calls);
    for (const problem of problems) console.error(problem);
    const built = calls.filter(({ unknown }) => unknown !== null).length;
    console.log(
      `${calls.length - built} places send statements that are known, ${built} put theirs together when they run; ${problems.length} problems`,
    );
    process.exitCode = problems.length === 0 ? 0 : 1;
  } finally {
    await client.end();
    await server.stop();
    discardCluster(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
