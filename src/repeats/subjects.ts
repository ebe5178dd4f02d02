import type { CallSubjects } from '../../persistence/accounts/idempotency-keys.ts';
import { uuid } from '../wire/text.ts';
import type { RepeatSubject } from './repeat-rules.ts';

/** The ids that an input names, read before any schema has checked it: what is not an id names nothing. */
export function subjectsOf(about: RepeatSubject, input: unknown): CallSubjects {
  const given = fieldsOf(input);
  const nothing = { propertyIds: [], imageIds: [], jobIds: [], tourId: null };
  switch (about) {
    case 'own':
      return nothing;
    case 'listing':
      return { ...nothing, propertyIds: ids([given.propertyId]) };
    case 'image':
      return { ...nothing, imageIds: ids([given.imageId]) };
    case 'assignments': {
      const assignments: unknown[] = Array.isArray(given.assignments) ? given.assignments : [];
      const originals = assignments.slice(0, MAX_ASSIGNMENTS).map((one) => fieldsOf(one).originalImageId);
      return { ...nothing, imageIds: ids(originals) };
    }
    case 'job':
      return { ...nothing, jobIds: ids([given.aiJobId]) };
    case 'tour':
      return { ...nothing, tourId: ids([given.tourId])[0] ?? null };
  }
}

/** The procedure rejects more. */
const MAX_ASSIGNMENTS = 20;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const ids = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => {
    const id = uuid.safeParse(value);
    return id.success ? [id.data] : [];
  });
