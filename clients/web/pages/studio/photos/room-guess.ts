import type { RoomType } from '../studio-queries.ts';

/** Words of file names, English and Spanish, that name a room. */
const ROOMS: readonly (readonly [RoomType, RegExp])[] = [
  ['TV_ROOM', /\b(?:tv|media|home ?theat(?:er|re)|cine)\b/],
  ['DINING_ROOM', /\b(?:dining|diningroom|comedor)\b/],
  ['BATHROOM', /\b(?:(?:master |primary |guest )?(?:bath|bathroom)|shower|powder|bano|wc)\b/],
  ['BEDROOM', /\b(?:bed|bedroom|master|primary|guest ?room|recamara|dormitorio|habitacion)\b/],
  ['KITCHEN', /\b(?:kitchen|cocina)\b/],
  ['OFFICE', /\b(?:office|study|den|oficina|despacho)\b/],
  ['LIVING_ROOM', /\b(?:living|livingroom|lounge|family ?room|great ?room|sala|salon|estancia)\b/],
];
/** What follows names where the room is seen from. */
const SEEN_FROM = /\b(?:from|off|toward|towards|desde|hacia)\b.*/;

/**
 * The room that a file's name tells, such as `12_Living-Room.jpg`; null when it tells none. Of several, the first one is
 * the subject: `Living room seen from the kitchen.jpg` shows a living room.
 */
export function guessRoom(fileName: string): RoomType | null {
  const words = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .replace(/\.\w+$/, '')
    // A number may follow a word without a gap: `bedroom2`.
    .replace(/[^a-z]+/g, ' ')
    .replace(SEEN_FROM, '');
  const named = ROOMS.flatMap(([room, rule]) => {
    const place = words.search(rule);
    return place < 0 ? [] : [{ room, place }];
  });
  return named.toSorted((one, other) => one.place - other.place)[0]?.room ?? null;
}
