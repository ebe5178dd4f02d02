import { describe, expect, test } from 'vitest';
import { messageKey, readStageRoomMessage } from '../../../src/queues/stage-room-message.ts';

const IMAGE = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const message = (fields: Record<string, unknown> = {}) => ({ imageId: IMAGE, style: 'modern', ...fields });
const read = (data: unknown) => {
  const answer = readStageRoomMessage(data);
  if (answer.kind === 'unknown') throw new Error(answer.why);
  return answer.message;
};

describe('a message of an old producer', () => {
  test('is accepted in several spellings', () => {
    expect(read(message({ roomType: 'TV_ROOM' }))).toMatchObject({
      originalImageId: IMAGE,
      style: { canonical: 'MODERN', isAlias: false },
      submittedStyle: 'modern',
      roomType: 'TV_ROOM',
      requestedByUserId: null,
      legacyJobId: null,
    });
    expect(
      read({
        originalImageId: IMAGE.toUpperCase(),
        style: 'Art Deco',
        room: 'living',
        userId: OTHER,
        jobId: OTHER,
      }),
    ).toMatchObject({
      originalImageId: IMAGE,
      style: { canonical: 'LUXURY', isAlias: true },
      submittedStyle: 'Art Deco',
      roomType: 'LIVING_ROOM',
      requestedByUserId: OTHER,
      legacyJobId: OTHER,
    });
    expect(read(message({ roomType: null, propertyId: null })).roomType).toBeNull();
    expect(read(message({ userId: 'ada', jobId: 17 }))).toMatchObject({
      requestedByUserId: null,
      legacyJobId: null,
    });
  });

  test('keeps its ids and names for audit, and no links, secrets or free text', () => {
    const { metadata } = read(
      message({
        roomType: 'bath',
        imageUrl: 'https://cdn/x?sig=1',
        token: 'r8_secret',
        prompt: 'a',
        extra: {},
      }),
    );
    expect(metadata).toEqual({ imageId: IMAGE, style: 'modern', roomType: 'bath', room: 'bath' });
  });
});

describe('a message that is not understood', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'stage it'],
    ['a list', []],
    ['no photo', { style: 'modern' }],
    ['an id that is none', message({ imageId: 'photo-7' })],
    ['two photos', message({ originalImageId: OTHER })],
    ['no style', { imageId: IMAGE }],
    ['a style that means nothing', message({ style: 'brutalist' })],
    ['the display-only style', message({ style: 'no-furniture' })],
    ['a name of the prototype', message({ style: 'constructor' })],
    ['no kind of room', message({ roomType: 'garage' })],
    ['a number for the style', message({ style: 7 })],
    ['a link for the style', message({ style: `https://${'x'.repeat(100)}` })],
  ])('%s', (_what, data) => {
    const answer = readStageRoomMessage(data);
    expect(answer.kind).toBe('unknown');
    expect(answer.kind === 'unknown' && answer.why).not.toMatch(/https|photo-7|brutalist/);
  });
});

test('a message has one name, made from its entry, its time and its content', () => {
  const entry = { id: '7', timestamp: 1_700_000_000_000, data: message() };
  expect(messageKey(entry)).toBe(messageKey(structuredClone(entry)));
  // After a flush the queue numbers its entries from one again.
  const others = [
    { ...entry, id: '8' },
    { ...entry, timestamp: entry.timestamp + 1 },
    { ...entry, data: message({ style: 'loft' }) },
    { ...entry, data: undefined },
  ];
  expect(new Set([entry, ...others].map(messageKey)).size).toBe(5);
});
