import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MACHINES } from '../../../machines/catalogue.ts';
import type { Drawing } from './drawing.ts';

const DIRECTORY = new URL('./', import.meta.url);

/** The chart of each actor kind; read once, when the console is made. Kinds that share a machine share its chart. */
export function readDrawings(): ReadonlyMap<string, Drawing> {
  const files = readdirSync(fileURLToPath(DIRECTORY)).filter((name) => name.endsWith('.json'));
  const drawings = files.map((name) => JSON.parse(readFileSync(new URL(name, DIRECTORY), 'utf8')) as Drawing);
  const ofMachine = new Map(drawings.map((drawing) => [drawing.kind, drawing]));
  return new Map(
    Object.entries(MACHINES).map(([kind, { id }]) => {
      const drawing = ofMachine.get(id);
      if (drawing === undefined) throw new Error(`machine ${id} has no chart`);
      return [kind, { ...drawing, kind }];
    }),
  );
}
