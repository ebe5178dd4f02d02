import { type FileHandle, open, readFile, truncate } from 'node:fs/promises';
import path from 'node:path';
import type { LedgerEntry } from './ledger-entries.ts';

/**
 * The provider's ledger: an append-only JSONL file, `ledger.jsonl` in the data folder. When `append` resolves, the
 * entry is on disk (one fdatasync for all entries waiting at that moment), so an accepted create survives kill -9.
 * Only the last line can be torn by a crash; it was never acknowledged and is cut off on opening.
 */
export interface Ledger {
  /** The entries on disk, oldest first: an entry that a crash could still lose is not included. */
  entries(): readonly LedgerEntry[];
  /** Resolves when the entry is on disk. */
  append(entry: LedgerEntry): Promise<void>;
  close(): Promise<void>;
}

/** @throws when a line other than the last is damaged: the ledger is not reliable then. */
export async function openLedger(dataDir: string): Promise<Ledger> {
  const file = path.join(dataDir, 'ledger.jsonl');
  const entries = await load(file);
  const handle = await open(file, 'a');
  const waiting: { entry: LedgerEntry; done: () => void; failed: (error: unknown) => void }[] = [];
  let writing: Promise<void> | null = null;
  let broken: { cause: unknown } | null = null;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0);
      try {
        if (broken) throw new Error('the ledger could not be written before', broken);
        await writeDurably(handle, batch.map((item) => `${JSON.stringify(item.entry)}\n`).join(''));
        for (const item of batch) {
          entries.push(item.entry);
          item.done();
        }
      } catch (error) {
        // Half a line may be on disk now; another line after it would be damage in the middle.
        broken ??= { cause: error };
        for (const item of batch) item.failed(error);
      }
    }
    writing = null;
  }

  return {
    entries: () => entries,
    append(entry) {
      return new Promise((done, failed) => {
        waiting.push({ entry, done, failed });
        writing ??= drain();
      });
    },
    async close() {
      await writing;
      await handle.close();
    },
  };
}

async function writeDurably(handle: FileHandle, text: string): Promise<void> {
  await handle.appendFile(text);
  await handle.datasync();
}

async function load(file: string): Promise<LedgerEntry[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LedgerEntry);
}
