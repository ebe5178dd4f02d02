import fc from 'fast-check';

/** Messages as the release before v2 left them on the queue, of photos with these ids. */
export function stageRoomMessages(imageIds: readonly string[]): fc.Arbitrary<unknown> {
  const image = fc.constantFrom(...imageIds);
  return fc.record(
    {
      imageId: image,
      originalImageId: image,
      style: fc.constantFrom(
        'modern',
        'Mid-Century Modern',
        'luxury',
        'Scandinavian ',
        'no-furniture',
        'farmhouse',
        'glam',
      ),
      roomType: fc.constantFrom('tv', 'LIVING_ROOM', 'Home Office', null),
      room: fc.constantFrom('bed', 'kitchen', null),
      userId: fc.oneof(fc.uuid(), fc.constant('user-7')),
      jobId: fc.uuid(),
      propertyId: fc.uuid(),
      imageUrl: fc.constant('https://cdn.example.com/p.jpg?X-Signature=abc'),
    },
    { requiredKeys: ['imageId', 'style'] },
  );
}
