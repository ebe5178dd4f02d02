import type { AnyStateMachine } from 'xstate';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';

export interface Chart {
  /** Used in the names of its files. */
  name: string;
  machine: AnyStateMachine;
  title: string;
  /** The machine's file. */
  source: string;
  /** Where its state is stored. */
  row: string;
}

const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** The charts: one per machine. A machine of several kinds is drawn once. */
export const CHARTS: readonly Chart[] = Object.values(ACTOR_KINDS)
  .filter(({ file }, index, kinds) => kinds.findIndex((other) => other.file === file) === index)
  .map(({ file, machine, keptIn }) => ({
    name: file,
    machine,
    title: capitalized(file.replaceAll('-', ' ')),
    source: `machines/${file}.ts`,
    row: keptIn,
  }));
