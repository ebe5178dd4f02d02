import type { AnyEventObject, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { deletionItemMachine } from '../../../machines/deletion-item.ts';
import { feedMachine } from '../../../machines/feed.ts';
import { imageReviewMachine } from '../../../machines/image-review.ts';
import { mismatchReportMachine } from '../../../machines/mismatch-report.ts';
import { pauseSwitchMachine } from '../../../machines/pause-switch.ts';
import { providerAttemptMachine } from '../../../machines/provider-attempt.ts';
import { searchDocumentMachine } from '../../../machines/search-document.ts';
import { jobMachine } from '../../../machines/staging-job.ts';
import { step } from '../../../machines/step.ts';
import { tourMachine } from '../../../machines/tour.ts';
import * as catalogues from './event-catalogues.ts';
import { type Exploration, explore } from './exploration.ts';

/** Every machine with the events that reach all of it. */
export const EVERY_MACHINE: [AnyStateMachine, readonly AnyEventObject[]][] = [
  [jobMachine, catalogues.STAGING_JOB_EVENTS],
  [providerAttemptMachine, catalogues.PROVIDER_ATTEMPT_EVENTS],
  [imageReviewMachine, catalogues.IMAGE_REVIEW_EVENTS],
  [deletionItemMachine, catalogues.DELETION_ITEM_EVENTS],
  [tourMachine, catalogues.TOUR_EVENTS],
  [mismatchReportMachine, catalogues.MISMATCH_REPORT_EVENTS],
  [pauseSwitchMachine, catalogues.PAUSE_SWITCH_EVENTS],
  [searchDocumentMachine, catalogues.SEARCH_DOCUMENT_EVENTS],
  [feedMachine, catalogues.FEED_EVENTS],
];

const explored = new Map<AnyStateMachine, Exploration>();
/** The exploration of a machine, made once a test file. */
export function explorationOf(machine: AnyStateMachine, events: readonly AnyEventObject[]): Exploration {
  const known = explored.get(machine) ?? explore(machine, events);
  explored.set(machine, known);
  return known;
}

export const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];
export const leavesOf = (machine: AnyStateMachine): AnyStateNode[] =>
  nodesOf(machine.root).filter(({ states }) => Object.keys(states).length === 0);
export const nameOf = (node: AnyStateNode): string => node.path.join('.');
export const transitionsOf = (machine: AnyStateMachine): AnyTransitionDefinition[] =>
  nodesOf(machine.root).flatMap((node) => [...node.transitions.values()].flat());

/** What a machine does with each event in each state and context that the events reach, as `state event next`. */
export function movesOf(
  machine: AnyStateMachine,
  events: readonly AnyEventObject[],
): Record<'taken' | 'ignored', Set<string>> {
  const moves = { taken: new Set<string>(), ignored: new Set<string>() };
  for (const actor of explorationOf(machine, events).reached)
    for (const event of events) {
      const decided = step(machine, actor, event);
      if (decided.outcome === 'ignored') moves.ignored.add(`${actor.state} ${event.type} -`);
      else moves.taken.add(`${actor.state} ${event.type} ${decided.next.state}`);
    }
  return moves;
}
