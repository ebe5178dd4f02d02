import type { AnyStateMachine } from 'xstate';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';

export interface Chart {
  /** Names whatever is drawn from it. */
  name: string;
  machine: AnyStateMachine;
  title: string;
  /** The machine's file. */
  source: string;
  /** Where its state is kept. */
  row: string;
}

const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** What is drawn: the machine of every kind; one that several kinds have is drawn once. */
export const CHARTS: readonly Chart[] = Object.values(ACTOR_KINDS)
  .filter(({ file }, index, kinds) => kinds.findIndex((other) => other.file === file) === index)
  .map(({ file, machine, keptIn }) => ({
    name: file,
    machine,
    title: capitalized(file.replaceAll('-', ' ')),
    source: `machines/${file}.ts`,
    row: keptIn,
  }));
