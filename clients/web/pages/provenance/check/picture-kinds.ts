/** Kinds of pictures by their first bytes: a file's name and type say what its sender wanted. */
const KINDS: readonly (readonly [type: string, offset: number, start: string])[] = [
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
  ['image/heic', 4, 'ftypheic'],
  ['image/heic', 4, 'ftypmif1'],
  ['image/gif', 0, 'GIF8'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
];

/** The bytes as one character each. */
export const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

/** Letters of the file's head are enough for every kind. */
const HEAD = 16;

/** The media type of a picture; null for any other file. */
export function pictureKind(bytes: Uint8Array): string | null {
  const head = latin(bytes.subarray(0, HEAD));
  // The decoder turns \x89 into another character, as it stands for windows-1252.
  const as = (text: string): string => latin(Uint8Array.from(text, (one) => one.charCodeAt(0)));
  return KINDS.find(([, offset, start]) => head.startsWith(as(start), offset))?.[0] ?? null;
}
