import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import { RequestHeaders } from '../../../../src/http/request-headers.ts';
import {
  type PhotoUpload,
  type PhotoUploadLimits,
  withPhotoUpload,
} from '../../../../src/images/uploads/multipart.ts';

import { gate } from '../../../support/http/test-server.ts';

const BOUNDARY = 'x-form-boundary';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const LIMITS = {
  maxFileBytes: 1000,
  fields: ['propertyId', 'roomType'],
  beforeFile: async () => {},
};
const FILE = Buffer.from(Array.from({ length: 300 }, (_, i) => i % 256));

interface Part {
  name?: string;
  filename?: string;
  type?: string;
  body: Buffer | string;
}

function form(parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, body }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data`),
    Buffer.from(name === undefined ? '' : `; name="${name}"`),
    Buffer.from(filename === undefined ? '' : `; filename="${filename}"`),
    Buffer.from(type === undefined ? '\r\n\r\n' : `\r\nContent-Type: ${type}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

const photo = (extra: Partial<Part> = {}): Part => ({
  name: 'file',
  filename: 'room.jpg',
  type: 'image/jpeg',
  body: FILE,
  ...extra,
});

/** Sends the body in pieces of the given size; records whether reading stopped before its end. */
function streamed(body: Buffer, pieceSize = 64 * 1024) {
  const state = { given: 0, left: false };
  const stream = (async function* () {
    try {
      for (let at = 0; at < body.length; at += pieceSize) {
        state.given = Math.min(at + pieceSize, body.length);
        yield body.subarray(at, at + pieceSize);
      }
    } finally {
      state.left = state.given < body.length;
    }
  })();
  return { stream, state };
}

/** The upload, with a copy of its file. */
function readStream(
  stream: AsyncIterable<Buffer>,
  { type = TYPE, beforeFile = LIMITS.beforeFile }: { type?: string | null } & Partial<PhotoUploadLimits> = {},
): Promise<PhotoUpload> {
  const headers = new RequestHeaders();
  if (type !== null) headers.add('content-type', type);
  const request = { headers, bodyStream: () => stream };
  const kept = ({ fields, file }: PhotoUpload) => ({ fields, file: Buffer.from(file) });
  return withPhotoUpload(request, { ...LIMITS, beforeFile }, kept);
}

const read = (body: Buffer, pieceSize?: number) => readStream(streamed(body, pieceSize).stream);

async function rejection(upload: Promise<unknown>): Promise<string> {
  const error = await upload.catch((reason: unknown) => reason);
  if (!(error instanceof PublicError)) throw new Error('was not refused', { cause: error });
  return error.code;
}

describe('a well-formed form', () => {
  test.each([1, 7, 64, 100_000])('arrives complete in pieces of %i bytes', async (pieceSize) => {
    const body = form([{ name: 'propertyId', body: 'p-1' }, photo(), { name: 'roomType', body: 'KITCHEN' }]);
    const upload = await read(body, pieceSize);
    expect(upload.fields).toEqual({ propertyId: 'p-1', roomType: 'KITCHEN' });
    expect(upload.file.equals(FILE)).toBe(true);
  });

  test('is accepted as fetch writes it', async () => {
    const data = new FormData();
    data.set('propertyId', 'Zoë 🐈');
    data.set('file', new Blob([FILE], { type: 'image/png' }), 'a.png');
    const request = new Request('http://localhost', { method: 'POST', body: data });
    const body = Buffer.from(await request.clone().arrayBuffer());
    const type = request.headers.get('content-type') ?? '';
    const upload = await readStream(streamed(body).stream, { type });
    expect(upload).toEqual({ fields: { propertyId: 'Zoë 🐈' }, file: FILE });
  });

  test.each([
    ['isMain', 'isMain'],
    ['__proto__', '__proto__'],
    ['a name of many words', '_'],
  ])('an unknown field is rejected by its name: %s', async (name, shown) => {
    const refused = read(form([{ name, body: '1' }, photo()]));
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const error = await refused.catch((thrown: unknown) => thrown as PublicError);
    expect(Object.getOwnPropertyNames('fields' in error ? error.fields : {})).toEqual([shown]);
  });

  test('a file part without a file name is still the file', async () => {
    const { file } = await read(form([photo({ filename: undefined })]));
    expect(file.equals(FILE)).toBe(true);
  });

  test('a file of exactly the limit is accepted, and text after the end is ignored', async () => {
    const body = Buffer.concat([form([photo({ body: Buffer.alloc(1000, 1) })]), Buffer.from('epilogue')]);
    expect((await read(body, 50)).file.length).toBe(1000);
  });
});

describe('PHOTO_TOO_LARGE', () => {
  test('a file one byte over the limit', async () => {
    expect(await rejection(read(form([photo({ body: Buffer.alloc(1001) })]), 50))).toBe('PHOTO_TOO_LARGE');
  });

  test('an endless body is not read to its end', async () => {
    const { stream, state } = streamed(form([photo({ body: Buffer.alloc(5_000_000) })]), 1000);
    expect(await rejection(readStream(stream))).toBe('PHOTO_TOO_LARGE');
    expect(state.left).toBe(true);
    expect(state.given).toBeLessThan(10_000);
  });

  test('a body with its bulk outside the file', async () => {
    const preamble = Buffer.concat([Buffer.alloc(200_000, 0x20), Buffer.from('\r\n'), form([photo()])]);
    const { stream, state } = streamed(preamble, 1000);
    expect(await rejection(readStream(stream))).toBe('PHOTO_TOO_LARGE');
    expect(state.given).toBeLessThan(100_000);
  });
});

describe('INVALID_INPUT', () => {
  const many = (count: number): Part[] =>
    Array.from({ length: count }, (_, i) => ({ name: `f${i}`, body: 'x' }));
  test.each([
    ['two files', form([photo(), photo()])],
    ['a file in another part', form([photo({ name: 'avatar' })])],
    ['no file', form([{ name: 'propertyId', body: 'p' }])],
    ['an empty file', form([photo({ body: '' })])],
    ['a field sent twice', form([{ name: 'roomType', body: 'A' }, { name: 'roomType', body: 'B' }, photo()])],
    ['a long field', form([{ name: 'roomType', body: 'A'.repeat(1025) }, photo()])],
    ['too many fields', form([...many(17), photo()])],
    ['no closing boundary', form([photo()]).subarray(0, -6)],
    ['a body cut in the file', form([photo()]).subarray(0, 200)],
    ['a body cut in a header', form([photo()]).subarray(0, 40)],
    ['an empty body', Buffer.alloc(0)],
    ['something else than a form', Buffer.from('{"propertyId":"p"}')],
    [
      'another boundary',
      Buffer.from(form([photo()]).toString('latin1').replaceAll(BOUNDARY, 'other'), 'latin1'),
    ],
  ])('%s', async (_name, body) => {
    for (const pieceSize of [13, 100_000])
      expect(await rejection(read(body, pieceSize))).toBe('INVALID_INPUT');
  });

  test.each([
    [null, 'UNSUPPORTED_MEDIA_TYPE'],
    ['', 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', 'UNSUPPORTED_MEDIA_TYPE'],
    ['image/jpeg', 'UNSUPPORTED_MEDIA_TYPE'],
    ['multipart/form-data', 'INVALID_INPUT'],
    ['multipart/form-data; charset=utf-8', 'INVALID_INPUT'],
  ])('content type %s', async (type, code) => {
    const { stream } = streamed(form([photo()]));
    expect(await rejection(readStream(stream, { type }))).toBe(code);
  });
});

describe('the decision when the file begins', () => {
  test('has the fields before the file, and nothing more is read until it is made', async () => {
    const body = form([{ name: 'propertyId', body: 'p-1' }, photo(), { name: 'roomType', body: 'KITCHEN' }]);
    const { stream, state } = streamed(body, 50);
    const asked = gate<Record<string, string>>();
    const answered = gate();
    const beforeFile = async (fields: Readonly<Record<string, string>>) => {
      asked.open({ ...fields });
      await answered.opened;
    };
    const upload = readStream(stream, { beforeFile });
    expect(await asked.opened).toEqual({ propertyId: 'p-1' });
    const given = state.given;
    await new Promise((resolve) => setImmediate(resolve));
    expect(state.given).toBe(given);
    expect(given).toBeLessThan(body.length - FILE.length);
    answered.open();
    expect((await upload).file.equals(FILE)).toBe(true);
  });

  test('as a rejection it rejects the upload, and the rest is not read', async () => {
    const { stream, state } = streamed(form([photo()]), 50);
    const beforeFile = async () => {
      throw new PublicError('NOT_FOUND');
    };
    expect(await rejection(readStream(stream, { beforeFile }))).toBe('NOT_FOUND');
    expect(state.left).toBe(true);
  });
});

test('a client that disconnects rejects with the cause of the stream', async () => {
  const body = form([photo()]);
  const aborted = (async function* () {
    yield body.subarray(0, 250);
    throw new Error('client went away');
  })();
  await expect(readStream(aborted)).rejects.toThrow('client went away');
});

test('the memory of a file is released as soon as its use has ended', async () => {
  const { stream } = streamed(form([photo()]));
  const headers = new RequestHeaders();
  headers.add('content-type', TYPE);
  let file: Buffer | null = null;
  const length = await withPhotoUpload({ headers, bodyStream: () => stream }, LIMITS, async (upload) => {
    file = upload.file;
    await new Promise((resolve) => setImmediate(resolve));
    return upload.file.length;
  });
  expect(length).toBe(FILE.length);
  expect(file).toHaveLength(0);
});
