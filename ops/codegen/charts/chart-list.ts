import type { AnyStateMachine } from 'xstate';
import { describedKind, KIND_NAMES } from '../../../persistence/actors/actor-kinds.ts';

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
export const CHARTS: readonly Chart[] = KIND_NAMES.map((kind) => {
  const { machine, keptIn, machineFile = `${wordsOf(kind).replace(' ', '-')}.ts` } = describedKind(kind);
  return {
    kind,
    machine,
    title: capitalized(wordsOf(kind)),
    source: `machines/${machineFile}`,
    row: keptIn,
  };
});

/** Names whatever is drawn from it. */
export const baseName = ({ kind }: Chart): string => wordsOf(kind).replace(' ', '-');
