import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** One process type of a Procfile: its name and the words of its command. */
export interface ProcfileEntry {
  name: string;
  command: string[];
}

const LINE = /^([A-Za-z0-9_-]+):\s*(\S.*)$/;

/**
 * Reads a Procfile: `name: command` on each line, besides blank lines and `#` comments. Commands are split at
 * spaces and run without a shell.
 * @throws Error with the invalid line, or with a name that occurs twice
 */
export function parseProcfile(text: string): ProcfileEntry[] {
  const entries: ProcfileEntry[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', command = ''] = LINE.exec(line) ?? [];
    if (name === '') throw new Error(`Procfile line ${index + 1} is not "name: command": ${line}`);
    if (entries.some((entry) => entry.name === name)) throw new Error(`Procfile names ${name} twice`);
    entries.push({ name, command: command.trim().split(/\s+/) });
  }
  return entries;
}

/**
 * The program and arguments of one process type; `node` is replaced by the present Node.js binary.
 * @throws Error when the Procfile has no such type
 */
export function procfileCommand(file: string | URL, name: string): { command: string; args: string[] } {
  const entry = parseProcfile(readFileSync(file, 'utf8')).find((candidate) => candidate.name === name);
  const [command, ...args] = entry?.command ?? [];
  if (command === undefined) throw new Error(`the Procfile has no ${name}`);
  return { command: basename(command) === 'node' ? process.execPath : command, args };
}

/** The flags of Node.js in the command of a process type: for programs that have to run as it does. */
export function nodeFlags(file: string | URL, name: string): string[] {
  return procfileCommand(file, name).args.filter((arg) => arg.startsWith('--'));
}
