import type { AnyStateMachine } from 'xstate';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';

export interface Chart {
  kind: string;
  machine: AnyStateMachine;
  title: string;
  /** The machine's file. */
  source: string;
  /** Where its state is kept. */
  row: string;
}

/** `imageReview` as `image review`. Rows and journal name the pause switch `startGate`, as they always did. */
const wordsOf = (kind: string): string =>
  kind === 'startGate' ? 'pause switch' : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** What is drawn: the machine of every kind. */
export const CHARTS: readonly Chart[] = Object.values(ACTOR_KINDS).map(({ kind, machine, keptIn }) => ({
  kind,
  machine,
  title: capitalized(wordsOf(kind)),
  source: `machines/${wordsOf(kind).replace(' ', '-')}.ts`,
  row: keptIn,
}));

/** The machine's file without its ending, which names whatever is drawn from it. */
export const baseName = ({ source }: Chart): string => source.replace(/^.*\/|\.ts$/g, '');
