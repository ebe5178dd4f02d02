import { parseArgs } from 'node:util';

/**
 * The `--check` of commands that know no other option.
 * @returns whether it is set; a text for standard error where the arguments are others
 */
function checkOption(args: readonly string[]): boolean | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean', default: false } },
    });
    return values.check;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Runs the command, or says that its arguments are not understood: exit code 2. */
export async function withCheckOption(run: (check: boolean) => Promise<number | undefined>): Promise<void> {
  const check = checkOption(process.argv.slice(2));
  if (typeof check === 'string') {
    process.stderr.write(`${check}\n`);
    process.exitCode = 2;
    return;
  }
  const code = await run(check);
  if (code !== undefined) process.exitCode = code;
}
