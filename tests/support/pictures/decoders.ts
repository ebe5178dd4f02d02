import { readdirSync, readFileSync } from 'node:fs';
import { createDecoder, type Decoder, type DecoderOptions } from '../../../src/images/decoding/decoder.ts';
import { eventually } from '../eventually.ts';

/** A decoder as the roles have; the caller closes it. */
export function testDecoder(options: Partial<DecoderOptions> = {}): Decoder {
  const logger = { warn() {}, error() {} } as unknown as DecoderOptions['logger'];
  return createDecoder({ lane: 'test', processes: 2, memoryMb: 1_024, logger, ...options });
}

/** Occupies the decoder without a picture until `giveBack`. */
export function heldTurn(decoder: Decoder): { giveBack(): Promise<void> } {
  const given = new Error('the turn is given back');
  const holding = Promise.withResolvers<Buffer>();
  const held = decoder.run('photo', ['fixed'], { load: () => holding.promise }).catch((error: unknown) => {
    if (error !== given) throw error;
  });
  return {
    async giveBack() {
      holding.reject(given);
      await held;
    },
  };
}

/** The decoder processes that a process has started, according to the operating system. */
export function decoderPids(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isDecoderOf(pid, parent))
    .map(Number);
}

/** Waits for a decoder process of ours that works on a picture, by its memory. */
export function decoderAtWork(except: readonly number[] = []): Promise<number> {
  return eventually(() => decoderPids().find((pid) => !except.includes(pid) && residentMb(pid) > 120), {
    what: 'a process at work',
    intervalMs: 5,
  });
}

function isDecoderOf(pid: string, parent: number): boolean {
  try {
    const [, , ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/\(.*\)/, '')
      .split(/ +/);
    return (
      Number(ppid) === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('decoder-process')
    );
  } catch {
    return false;
  }
}

/** False for an ended process and for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** 0 for an ended process. */
export function residentMb(pid: number): number {
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return (Number(pages) * 4_096) / 1_000_000;
  } catch {
    return 0;
  }
}
