import { readFileSync } from 'node:fs';

/**
 * Watches the resident memory of a process from a separate process, which no other work delays, and kills it
 * above the limit. Arguments: its pid and the limit in MB. Prints a line of JSON every 100 ms, the last one
 * after its end. Its children, which decode pictures and have their own limits, are measured separately.
 */
const [pid = 0, limitMb = 0] = process.argv.slice(2).map(Number);
const SAMPLE_MS = 20;
const SAMPLES_A_LINE = 5;
const PAGE_BYTES = 4_096;

let samples = 0;
let childMb = 0;
let mostMb = 0;

const timer = setInterval(() => {
  const memoryMb = residentMb(pid);
  if (memoryMb === null) return end('gone');
  mostMb = Math.max(mostMb, memoryMb);
  if (memoryMb > limitMb) {
    process.kill(pid, 'SIGKILL');
    return end('killed');
  }
  for (const child of childrenOf(pid)) childMb = Math.max(childMb, residentMb(child) ?? 0);
  samples += 1;
  if (samples % SAMPLES_A_LINE === 0) say({ memoryMb, mostMb, childMb });
}, SAMPLE_MS);

function end(fate: 'gone' | 'killed'): void {
  clearInterval(timer);
  say({ memoryMb: 0, mostMb, childMb, fate });
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Null when the process has gone. */
function residentMb(process: number): number | null {
  try {
    const [, resident] = readFileSync(`/proc/${process}/statm`, 'utf8').split(' ');
    return Math.round((Number(resident) * PAGE_BYTES) / 2 ** 20);
  } catch {
    return null;
  }
}

function childrenOf(process: number): number[] {
  try {
    const text = readFileSync(`/proc/${process}/task/${process}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
}

// The parent process has gone.
process.stdin.resume().on('end', () => process.exit());
