import { deletionItemMachine, initialDeletionItem } from './deletion-item.ts';
import { descriptionJobMachine, initialDescriptionJob } from './description-job.ts';
import { imageReviewMachine, initialImageReview } from './image-review.ts';
import { initialPauseSwitch, pauseSwitchMachine } from './pause-switch.ts';
import { providerAttemptMachine } from './provider-attempt.ts';
import { initialProviderAttempt } from './provider-attempt-model.ts';
import { initialSearchDocument, searchDocumentMachine } from './search-document.ts';
import { initialJob, jobMachine } from './staging-job.ts';
import type { ActorState } from './step.ts';
import { tourMachine, unrequestedTour } from './tour.ts';

/** Every machine by the kind of its actors, which is also its id and the journal's `actorKind`. */
export const MACHINES = {
  stagingJob: jobMachine,
  providerAttempt: providerAttemptMachine,
  imageReview: imageReviewMachine,
  deletionItem: deletionItemMachine,
  tour: tourMachine,
  descriptionJob: descriptionJobMachine,
  startGate: pauseSwitchMachine,
  searchDocument: searchDocumentMachine,
} as const;
export type MachineKind = keyof typeof MACHINES;

/** The state in which an actor is before the first row of its journal. */
export function birthOf(kind: MachineKind, attemptNumber: 1 | 2 = 1): ActorState<unknown> {
  switch (kind) {
    case 'stagingJob':
      return { state: 'PENDING.QUEUED', context: initialJob('stagingJob') };
    case 'providerAttempt':
      return { state: 'RESERVED', context: initialProviderAttempt(attemptNumber) };
    case 'imageReview':
      return { state: 'PENDING_REVIEW', context: initialImageReview };
    case 'tour':
      return { state: 'REQUESTED', context: unrequestedTour };
    case 'descriptionJob':
      return { state: 'PENDING.QUEUED', context: initialDescriptionJob };
    case 'deletionItem':
      return { state: 'PENDING', context: initialDeletionItem };
    case 'startGate':
      return { state: 'OPEN', context: initialPauseSwitch };
    case 'searchDocument':
      return { state: 'KEPT', context: initialSearchDocument };
  }
}
