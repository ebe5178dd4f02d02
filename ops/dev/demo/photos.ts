import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import {
  CANONICAL_ROOM_TYPES,
  type CanonicalRoomType,
  type CanonicalStyle,
} from '../../../machines/vocabulary.ts';
import { drawSampleRoom } from '../../simulator/pictures/room-drawings.ts';
import { type DemoOptions, UsageError } from './arguments.ts';

/** One photo with its room and style. */
export interface DemoPhoto {
  /** The file's name without its extension. */
  name: string;
  fileName: string;
  room: CanonicalRoomType;
  style: CanonicalStyle;
  read(): Promise<Buffer>;
}

type FoundFile = Pick<DemoPhoto, 'fileName' | 'read'>;

const PICTURE_EXTENSIONS = new Set(['.jpg', '.jpeg', '.png', '.webp', '.avif', '.heic', '.heif']);
/** Shapes of the drawn rooms, in turn: as cameras and telephones make them. */
const SAMPLE_CANVASES = [
  { width: 1536, height: 1024 },
  { width: 1600, height: 1200 },
  { width: 1920, height: 1080 },
  { width: 1200, height: 1600 },
  { width: 1200, height: 1200 },
] as const;

/** The room that a word of a file name stands for; the first known word decides. */
const ROOM_WORDS: [prefix: string, room: CanonicalRoomType][] = [
  ['bed', 'BEDROOM'],
  ['bath', 'BATHROOM'],
  ['kitchen', 'KITCHEN'],
  ['dining', 'DINING_ROOM'],
  ['office', 'OFFICE'],
  ['study', 'OFFICE'],
  ['tv', 'TV_ROOM'],
  ['media', 'TV_ROOM'],
  ['living', 'LIVING_ROOM'],
  ['lounge', 'LIVING_ROOM'],
];

/**
 * The photos of a run, in the order given; those of a folder by name.
 * @throws UsageError for a path that does not exist, or a folder without pictures
 */
export async function findPhotos({
  paths,
  rooms,
  styles,
}: Pick<DemoOptions, 'paths' | 'rooms' | 'styles'>): Promise<DemoPhoto[]> {
  const files = paths.length === 0 ? sampleRooms() : (await Promise.all(paths.map(filesAt))).flat();
  return files.map((file, index) => ({
    ...file,
    name: basename(file.fileName, extname(file.fileName)),
    room: inTurn(rooms, index) ?? roomFromName(file.fileName),
    style: inTurn(styles, index) ?? 'MODERN',
  }));
}

/** `bedroom-01-white.jpg` is a BEDROOM; a name without a known word means LIVING_ROOM. */
export function roomFromName(fileName: string): CanonicalRoomType {
  const words = fileName.toLowerCase().split(/[^a-z]+/);
  for (const word of words) {
    const [, room] = ROOM_WORDS.find(([prefix]) => word.startsWith(prefix)) ?? [];
    if (room !== undefined) return room;
  }
  return 'LIVING_ROOM';
}

function sampleRooms(): FoundFile[] {
  return CANONICAL_ROOM_TYPES.map((room, index) => ({
    fileName: `${room.toLowerCase().replaceAll('_', '-')}-01.jpg`,
    read: () => drawSampleRoom(room, { ...inTurn(SAMPLE_CANVASES, index)!, seed: index + 1 }),
  }));
}

async function filesAt(path: string): Promise<FoundFile[]> {
  const entry = await stat(path).catch((error: Error) => {
    const why =
      'code' in error && error.code === 'ENOENT' ? 'there is no such file or folder' : error.message;
    throw new UsageError('PHOTOS', `${path}: ${why}.`);
  });
  if (!entry.isDirectory()) return [fileAt(path)];
  const names = (await readdir(path)).filter((name) => PICTURE_EXTENSIONS.has(extname(name).toLowerCase()));
  if (names.length === 0)
    throw new UsageError('PHOTOS', `${path}: the folder holds no JPEG, PNG, WebP, AVIF or HEIC files.`);
  return names.sort().map((name) => fileAt(join(path, name)));
}

function fileAt(path: string): FoundFile {
  return { fileName: basename(path), read: () => readFile(path) };
}

function inTurn<T>(list: readonly T[], index: number): T | undefined {
  return list[index % list.length];
}
