import { placesOf } from './byte-search.ts';

/** The first bytes of a manifest store, in any kind of file: the type of its box. */
const STORE = Uint8Array.from('jumdc2pa\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71', (one) => one.charCodeAt(0));

/** How many manifest stores a file holds, up to two. */
export const countStores = (bytes: Uint8Array): number => placesOf(bytes, STORE, 2).length;
