import { afterAll } from 'vitest';
import { waitUntil } from '../../ops/dev/stack/lifecycle.ts';
import { openHandles } from './open-handles.ts';

/**
 * After the last test of every file, anything left open fails the file. Runs as a setup file, so its
 * `afterAll` is the outermost and runs after those of the file.
 */
type Check = () => Promise<string[]>;

const checks = new Map<string, Check>();
/** Closing is asynchronous for many drivers even after their `end()`. */
const CLOSING_PATIENCE_MS = 2_000;

/** Registers a check that returns one sentence for each thing left open, and closes it. */
export function onLeakCheck(what: string, check: Check): void {
  checks.set(what, check);
}

afterAll(async () => {
  const leaks: string[] = [];
  for (const check of checks.values()) leaks.push(...(await check()));
  await waitUntil(() => openHandles().length === 0, { timeoutMs: CLOSING_PATIENCE_MS });
  leaks.push(...openHandles());
  if (leaks.length > 0) throw new Error(`This test file leaks:\n  ${leaks.join('\n  ')}`);
});
