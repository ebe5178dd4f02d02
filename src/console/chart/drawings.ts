import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Drawing } from './drawing.ts';

const DIRECTORY = new URL('./', import.meta.url);

/** Every chart that was drawn, by the kind of its actors; read once, when the console is made. */
export function readDrawings(): ReadonlyMap<string, Drawing> {
  const files = readdirSync(fileURLToPath(DIRECTORY)).filter((name) => name.endsWith('.json'));
  const drawings = files.map((name) => JSON.parse(readFileSync(new URL(name, DIRECTORY), 'utf8')) as Drawing);
  return new Map(drawings.map((drawing) => [drawing.kind, drawing]));
}
