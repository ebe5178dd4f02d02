import { HELP, readDemoArguments, UsageError } from '../dev/demo/arguments.ts';
import { runDemo } from '../dev/demo/run.ts';
import { StackError } from '../dev/stack/lifecycle.ts';

/** `npm run demo`: a complete run of the platform in one terminal, with a verdict. */

/** npm repeats the Ctrl-C that the terminal has already delivered; a second signal within this time is the same one. */
const ECHO_MS = 500;
const INTERRUPTED = 130;

class Interruption extends Error {}

process.exit(await main());

async function main(): Promise<number> {
  try {
    const options = readDemoArguments(process.argv.slice(2));
    if (options.help) {
      process.stdout.write(HELP);
      return 0;
    }
    return (await runDemo(options, { write, interrupted: interruption() })) ? 0 : 1;
  } catch (error) {
    if (error instanceof Interruption) return INTERRUPTED;
    process.stderr.write(`\n${toText(error)}\n`);
    return 1;
  }
}

/** The first signal requests a stop. A second one ends this process and its children at once. */
function interruption(): AbortSignal {
  const asked = new AbortController();
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (asked.signal.aborted && Date.now() - askedAt > ECHO_MS) process.exit(INTERRUPTED);
      if (asked.signal.aborted) return;
      askedAt = Date.now();
      process.stderr.write('\nStopping everything. Ctrl-C again stops at once.\n');
      asked.abort(new Interruption());
    });
  }
  return asked.signal;
}

function write(text: string): void {
  process.stdout.write(text);
}

function toText(error: unknown): string {
  if (error instanceof UsageError && error.code === 'ARGUMENTS')
    return `${error.message}\nnpm run demo -- --help explains.`;
  if (error instanceof UsageError || error instanceof StackError) return error.message;
  return error instanceof Error ? `The demo failed: ${error.message}` : String(error);
}
