import { each, type Invariant, repeated } from './pipeline-state.ts';

export const REVIEW_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I16',
    sentence: 'An approved image has one APPROVED event; every rejection left its event.',
    when: 'always',
    breaches: ({ images, reviewEvents, journal }) => {
      const events = reviewEvents.map(({ kind, imageId }) => `${kind} ${imageId}`);
      const known = new Set(events);
      return [
        ...repeated(events).map((event) => `review event ${event} twice`),
        ...each(images, ({ id, state }) =>
          state === 'APPROVED' && !known.has(`APPROVED ${id}`)
            ? `image ${id} is approved without an event`
            : null,
        ),
        ...each([...journal.values()].flat(), ({ kind, id, event }) =>
          kind === 'imageReview' && event.type === 'REJECT' && !known.has(`REJECTED ${id}`)
            ? `image ${id} was rejected without an event`
            : null,
        ),
      ];
    },
  },
];

export const STORAGE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I19',
    sentence: 'Every object is needed by a row, still being collected, or queued for deletion.',
    when: 'quiet',
    breaches: ({ world, images, attempts, deletions, originalKeys }) => {
      const accounted = new Set([
        ...originalKeys,
        ...images.map(({ objectKey }) => objectKey),
        ...attempts.flatMap(({ state, context }) =>
          state === 'COLLECTING' ? (context.objectKey ?? []) : [],
        ),
        ...deletions.flatMap(({ state, objectKey }) => (state === 'DELETED' ? [] : objectKey)),
      ]);
      return each([...(world?.objectKeys ?? [])], (key) =>
        accounted.has(key) ? null : `object ${key} is nobody's`,
      );
    },
  },
  {
    id: 'I20',
    sentence: 'Every object that a row needs is there.',
    when: 'always',
    breaches: ({ world, images }) =>
      world === null
        ? []
        : each(images, ({ id, jobId, objectKey }) =>
            jobId !== null && !world.objectKeys.has(objectKey) ? `image ${id} has lost ${objectKey}` : null,
          ),
  },
];
