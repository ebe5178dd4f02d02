import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { CANONICAL_ROOM_TYPES } from '../../../machines/vocabulary.ts';
import { drawSampleRoom } from '../../simulator/pictures/room-drawings.ts';

export interface Room {
  readonly name: string;
  /** Thresholds are chosen on the one half and never on the other; the hash of the name decides. */
  readonly half: Half;
  read(): Promise<Buffer>;
}

export const HALVES = ['chosen on', 'not chosen on'] as const;
export type Half = (typeof HALVES)[number];
const halfOf = (name: string): Half => HALVES[createHash('sha256').update(name).digest().readUInt8(0) % 2]!;

const PICTURES = new Set(['.jpg', '.jpeg', '.png', '.webp']);
const DRAWN_ROOMS = 8;
const CANVAS = { width: 1280, height: 853 };

/**
 * The photos of a folder, by name; without a folder, rooms that our own code draws, the same each time.
 * @throws Error when the folder has no pictures
 */
export async function roomsOf(folder: string | null): Promise<Room[]> {
  if (folder === null) return drawnRooms();
  const names = (await readdir(folder)).filter((name) => PICTURES.has(extname(name).toLowerCase())).sort();
  if (names.length === 0) throw new Error(`${folder} has no JPEG, PNG or WebP pictures`);
  return names.map((name) => ({ name, half: halfOf(name), read: () => readFile(join(folder, name)) }));
}

function drawnRooms(): Room[] {
  return Array.from({ length: DRAWN_ROOMS }, (_, seed) => {
    const type = CANONICAL_ROOM_TYPES[seed % CANONICAL_ROOM_TYPES.length]!;
    const name = `${type} ${seed}`;
    return { name, half: halfOf(name), read: () => drawSampleRoom(type, { ...CANVAS, seed: seed + 1 }) };
  });
}
