import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { definitionOf, KIND_NAMES } from '../../../persistence/actors/actor-kinds.ts';
import type { Drawing } from './drawing.ts';

const DIRECTORY = new URL('./', import.meta.url);

/** The chart of every kind of actor's machine; read once, when the console is created. */
export function readDrawings(): ReadonlyMap<string, Drawing> {
  const files = readdirSync(fileURLToPath(DIRECTORY)).filter((name) => name.endsWith('.json'));
  const drawings = files.map((name) => JSON.parse(readFileSync(new URL(name, DIRECTORY), 'utf8')) as Drawing);
  return new Map(
    KIND_NAMES.map((kind) => {
      const { machine, label } = definitionOf(kind);
      const drawing = drawings.find((one) => one.kind === machine.id);
      if (drawing === undefined) throw new Error(`the machine ${machine.id} is not drawn: npm run charts`);
      return [kind, { ...drawing, kind, title: label.one }];
    }),
  );
}
