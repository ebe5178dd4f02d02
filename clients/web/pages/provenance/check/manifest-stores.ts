import { placesOf } from './byte-search.ts';

/** The first bytes of a manifest store, in any kind of file: the type of its box. */
const STORE = Uint8Array.of(
  ...[0x6a, 0x75, 0x6d, 0x64],
  ...[0x63, 0x32, 0x70, 0x61, 0, 0x11, 0, 0x10, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71],
);

/** How many manifest stores a file holds, up to two. */
export const countStores = (bytes: Uint8Array): number => placesOf(bytes, STORE, 2).length;
