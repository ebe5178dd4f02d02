import { spawn } from 'node:child_process';

/** A program that has to end with 0, as it is typed at the repository's root. */
export interface Part {
  name: string;
  command: string;
}

export interface PartResult extends Part {
  /** The exit code; 1 for a program that a signal ended or that could not be started. */
  code: number;
  /** Everything that the program printed, in the order of its lines. */
  output: string;
  seconds: number;
}

/**
 * Runs `parts`, `limit` at a time, in the order given (so the longest belongs first), whatever fails among them.
 * @returns one result a part, in the order in which they ended; `onEnd` hears of each at that moment
 */
export async function runParts(
  parts: readonly Part[],
  { limit, cwd, onEnd }: { limit: number; cwd: string; onEnd: (result: PartResult) => void },
): Promise<PartResult[]> {
  const waiting = [...parts];
  const results: PartResult[] = [];
  const next = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const result = await runPart(part, cwd);
      results.push(result);
      onEnd(result);
    }
  };
  await Promise.all(Array.from({ length: limit }, next));
  return results;
}

function runPart(part: Part, cwd: string): Promise<PartResult> {
  const { promise, resolve } = Promise.withResolvers<PartResult>();
  const startedAt = performance.now();
  const child = spawn(part.command, { cwd, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = (code: number): void => {
    const seconds = (performance.now() - startedAt) / 1000;
    resolve({ ...part, code, output: Buffer.concat(chunks).toString(), seconds });
  };
  child.once('error', (error) => {
    chunks.push(Buffer.from(String(error)));
    end(1);
  });
  child.once('close', (code) => end(code ?? 1));
  return promise;
}
