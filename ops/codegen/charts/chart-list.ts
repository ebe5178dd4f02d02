import type { AnyStateMachine } from 'xstate';
import { type ActorKind, describedKind, KIND_NAMES } from '../../../persistence/actors/actor-kinds.ts';

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

const machineOf = (kind: ActorKind): AnyStateMachine => describedKind(kind).machine;

/** What is drawn: the machine of every kind; one that several kinds have is drawn once, under the name of the first. */
export const CHARTS: readonly Chart[] = KIND_NAMES.filter(
  (kind, index) => KIND_NAMES.findIndex((other) => machineOf(other) === machineOf(kind)) === index,
).map((kind) => {
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
