import type { AnyStateMachine } from 'xstate';
import { MACHINES, type MachineKind } from '../../../machines/catalogue.ts';

export interface Chart {
  machine: AnyStateMachine;
  title: string;
  /** The machine's file. */
  source: string;
  /** Where its state is kept. */
  row: string;
}

const ABOUT: Readonly<Record<MachineKind, Omit<Chart, 'machine'>>> = {
  stagingJob: {
    title: 'Staging job',
    source: 'machines/staging-job.ts',
    row: '`ai_jobs.status` and `.phase`',
  },
  providerAttempt: {
    title: 'Provider attempt',
    source: 'machines/provider-attempt.ts',
    row: '`ai_provider_attempts.status`',
  },
  imageReview: {
    title: 'Image review',
    source: 'machines/image-review.ts',
    row: '`property_images."reviewStatus"`',
  },
  deletionItem: {
    title: 'Deletion item',
    source: 'machines/deletion-item.ts',
    row: '`storage_deletion_outbox.status`',
  },
  tour: { title: 'Tour', source: 'machines/tour.ts', row: '`tours.status`' },
  descriptionJob: {
    title: 'Description job',
    source: 'machines/description-job.ts',
    row: '`ai_jobs.status`, `.phase` and `ai_description_jobs."sendState"`',
  },
  startGate: { title: 'Start gate', source: 'machines/start-gate.ts', row: '`start_gate.status`' },
  searchDocument: {
    title: 'Search document',
    source: 'machines/search-document.ts',
    row: '`properties."searchDirtyAt"` and `."searchVersion"`',
  },
};

/** What is drawn; a machine that is in the catalogue and not here does not compile. */
export const CHARTS: readonly Chart[] = Object.entries(ABOUT).map(([kind, about]) => ({
  ...about,
  machine: MACHINES[kind as MachineKind],
}));

/** The machine's file without its ending, which names whatever is drawn from it. */
export const baseName = ({ source }: Chart): string => source.replace(/^.*\/|\.ts$/g, '');
