import { beforeEach, describe, expect, test } from 'vitest';
import { guardUploads } from '../../../../persistence/images/upload-guards.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { startApiHost, useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { heicFile } from '../../../support/pictures/heic-files.ts';
import {
  animatedWebp,
  BLUE,
  cornerColours,
  corners,
  distance,
  GREEN,
  GREY,
  noisy,
  pngClaiming,
  RED,
  storedWithOrientation,
} from '../../../support/pictures/photo-fixtures.ts';
import { sidewaysRoom } from '../../../support/pictures/room-photos.ts';
import { ask, drainEverything, looks, told } from '../../../support/pictures/stored-pictures.ts';

let person: Person;
const host = useApiHost();
beforeEach(async () => {
  await host.rows('delete from avatars');
  await drainEverything(host);
  await host.rows('truncate storage_deletion_outbox');
  person = await host.signedIn({ role: 'customer' });
});

const put = (file: Uint8Array, as: Person = person) => {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'me.jpg');
  return as.send('PUT', '/api/users/avatar', { body: form });
};
const photo = () => noisy(700, 500).jpeg().toBuffer();
const BASE = 'https://api.example.com';
const pathOf = (url: unknown) => String(url).slice(BASE.length);
const stored = async () => (await host.objectKeys()).filter((key) => key.startsWith('avatars/'));
const outbox = () => host.rows<{ key: string }>('select "objectKey" as key from storage_deletion_outbox');
const image = async (as = person) => (await as.query('users.getMe')).data.image;

describe('PUT /api/users/avatar', () => {
  test('shows the picture at once, everywhere, to every caller', async () => {
    expect(await image()).toBeNull();
    const answer = await put(await photo());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const me = await person.query('users.getMe');
    expect(answer.body).toEqual(me.data);
    expect(me.data.image).toMatch(/^https:\/\/api\.example\.com\/api\/avatars\/[0-9a-f-]{36}$/);
    expect(me.data.image).not.toContain(person.id);
    const session = await person.send('GET', '/api/auth/get-session');
    expect(session.body.user.image).toBe(me.data.image);
    const shown = await ask(host, pathOf(me.data.image));
    expect(await looks(shown.bytes)).toBe('jpeg 512x512');
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=86400, immutable',
      'x-content-type-options': 'nosniff',
      'content-length': String(shown.bytes.length),
    });
    expect(await outbox()).toEqual([]);
    expect(await stored()).toHaveLength(1);
  });

  test('stores it upright, cropped to the center, and without metadata', async () => {
    const turned = await sharp(await storedWithOrientation(6, 'jpeg'))
      .keepMetadata()
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer();
    const answer = await put(turned);
    const { bytes } = await ask(host, pathOf(answer.body.image));
    const { exif, icc, xmp, orientation } = await sharp(bytes).metadata();
    expect({ exif, icc, xmp, orientation }).toEqual({});
    expect(distance(await cornerColours(bytes), [RED, GREEN, BLUE, GREY])).toBeLessThan(16);
  });

  test.each([
    ['PNG with alpha', async () => corners().ensureAlpha(0.5).png().toBuffer()],
    ['WebP', async () => noisy(80, 80).webp().toBuffer()],
    ['AVIF', async () => noisy(80, 80).avif({ effort: 0 }).toBuffer()],
    ['HEIC', async () => heicFile()],
  ])('accepts %s', async (_, file) => {
    const answer = await put(await file());
    expect(answer.status).toBe(200);
    expect(await looks((await ask(host, pathOf(answer.body.image))).bytes)).toBe('jpeg 512x512');
  });

  test.each([
    ['text', async () => Buffer.from('hello'), 415, 'PHOTO_TYPE_UNSUPPORTED'],
    ['a GIF', async () => corners().gif().toBuffer(), 415, 'PHOTO_TYPE_UNSUPPORTED'],
    ['an animation', animatedWebp, 415, 'PHOTO_TYPE_UNSUPPORTED'],
    [
      'an SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      415,
      'PHOTO_TYPE_UNSUPPORTED',
    ],
    ['half a photo', async () => (await photo()).subarray(0, 2_000), 422, 'PHOTO_BROKEN'],
    ['100 megapixels', async () => pngClaiming(10_000, 10_000), 413, 'PHOTO_TOO_LARGE'],
    ['10 MiB and a byte', async () => Buffer.alloc(10 * 1024 * 1024 + 1, 1), 413, 'PHOTO_TOO_LARGE'],
    ['20 MiB', async () => Buffer.alloc(20 * 1024 * 1024, 1), 413, 'PHOTO_TOO_LARGE'],
    ['nothing', async () => Buffer.alloc(0), 400, 'INVALID_INPUT'],
  ])('rejects %s and changes nothing', async (_, file, status, code) => {
    await put(await photo());
    const before = [await image(), await stored()];
    const answer = await put(await file());
    expect([answer.status, answer.errorCode]).toEqual([status, code]);
    if (code === 'PHOTO_TOO_LARGE') expect(answer.body.error.message).toContain('10 MiB');
    expect([await image(), await stored()]).toEqual(before);
    expect(await outbox()).toEqual([]);
  });

  test('rejects a body that is not a form', async () => {
    const answer = await person.send('PUT', '/api/users/avatar', { body: '{}' });
    expect([answer.status, answer.errorCode]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('gives a new picture a new URL, and deletes the old picture', async () => {
    const first = (await put(await photo())).body.image;
    const old = await ask(host, pathOf(first));
    const second = (await put(await corners().jpeg().toBuffer())).body.image;
    expect(second).not.toBe(first);
    const tag = { 'if-none-match': old.headers.etag ?? '' };
    const unknown = await ask(host, `/api/avatars/${person.id}`, { headers: tag });
    expect(unknown.status).toBe(404);
    expect(told(await ask(host, pathOf(first), { headers: tag }))).toEqual(told(unknown));
    expect(await outbox()).toHaveLength(1);
    await drainEverything(host);
    expect(await stored()).toHaveLength(1);
    expect((await ask(host, pathOf(second))).status).toBe(200);
  });

  test('ten simultaneous uploads leave one picture, and it is the one shown', async () => {
    const files = await Promise.all(Array.from({ length: 10 }, photo));
    const answers = await Promise.all(files.map((file) => put(file)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await drainEverything(host);
    expect(await stored()).toHaveLength(1);
    const rows = await host.rows<{ id: string }>('select id from avatars where "userId" = $1', [person.id]);
    expect(await image()).toBe(`${BASE}/api/avatars/${rows[0]?.id}`);
    expect((await ask(host, pathOf(await image()))).status).toBe(200);
  });

  test('needs a session', async () => {
    const answer = await put(await photo(), host.anonymous());
    expect([answer.status, answer.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect((await host.anonymous().send('DELETE', '/api/users/avatar')).status).toBe(401);
    expect(await stored()).toEqual([]);
  });
});

describe('DELETE /api/users/avatar', () => {
  test('removes the picture, and is idempotent', async () => {
    const { image: url } = (await put(await photo())).body;
    for (let times = 0; times < 2; times += 1) {
      const answer = await person.send('DELETE', '/api/users/avatar');
      expect([answer.status, answer.body.image]).toEqual([200, null]);
    }
    expect(await image()).toBeNull();
    expect((await ask(host, pathOf(url))).status).toBe(404);
    await drainEverything(host);
    expect(await stored()).toEqual([]);
  });

  test('removes a picture from a sign-in provider too', async () => {
    await host.rows(`update "user" set image = 'https://example.org/me.png' where id = $1`, [person.id]);
    await person.send('DELETE', '/api/users/avatar');
    expect(await image()).toBeNull();
  });

  test('does not change other people', async () => {
    const other = await host.signedIn();
    await put(await photo(), other);
    await put(await photo());
    await person.send('DELETE', '/api/users/avatar');
    expect((await ask(host, pathOf(await image(other)))).status).toBe(200);
  });
});

describe('GET /api/avatars/{avatarId}', () => {
  test('answers 304 for its tag, HEAD, and 404 for anything else', async () => {
    const path = pathOf((await put(await photo())).body.image);
    const get = await ask(host, path);
    const again = await ask(host, path, { headers: { 'if-none-match': get.headers.etag ?? '' } });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, get.headers.etag]);
    const head = await ask(host, path, { method: 'HEAD' });
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(get.bytes.length),
    ]);
    for (const id of ['nonsense', person.id])
      expect((await ask(host, `/api/avatars/${id}`)).status).toBe(404);
  });

  test('answers 404 when the object is lost', async () => {
    const path = pathOf((await put(await photo())).body.image);
    await host.rows(`insert into storage_deletion_outbox ("objectKey", reason)
      select "objectKey", 'ORIGINAL_IMAGE_DELETED' from avatars`);
    await host.rows(`update avatars set "objectKey" = "objectKey" || '.lost'`);
    await drainEverything(host);
    expect((await ask(host, path)).status).toBe(404);
    expect(host.lines.at(-1)).toMatchObject({ level: 'error', msg: 'an avatar has lost its object' });
  });
});

describe('failures', () => {
  test('the object store is away: 503, the old picture stays, and the outbox has the object', async () => {
    const broken = await startApiHost({ settings: { S3_BUCKET: 'no-such-bucket' } });
    try {
      const theirs = await broken.signedIn({ image: 'https://example.org/me.png' });
      const answer = await put(await photo(), theirs);
      expect([answer.status, answer.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(await image(theirs)).toBe('https://example.org/me.png');
      expect(await broken.rows('select status from storage_deletion_outbox')).toEqual([
        { status: 'PENDING' },
      ]);
    } finally {
      await broken.stop();
    }
  });

  test('the sweep claimed the guard: 409, the old picture stays, and the key is in the outbox again', async () => {
    await put(await photo());
    const before = await image();
    await host.rows(`create function sweep_at_once() returns trigger language plpgsql as $$
      begin update storage_deletion_outbox set status = 'PROCESSING', version = 1 where id = new.id; return null; end $$`);
    await host.rows(
      `create trigger sweep_at_once after insert on storage_deletion_outbox for each row
       when (new."nextAttemptAt" > new."createdAt") execute function sweep_at_once()`,
    );
    const answer = await put(await photo());
    await host.rows('drop function sweep_at_once cascade');
    expect([answer.status, answer.errorCode]).toEqual([409, 'UPLOAD_EXPIRED']);
    expect(await image()).toBe(before);
    expect((await ask(host, pathOf(before))).status).toBe(200);
    expect(await stored()).toHaveLength(1);
    expect(await host.rows('select status from storage_deletion_outbox order by status')).toEqual([
      { status: 'PENDING' },
      { status: 'PROCESSING' },
    ]);
  });

  test('the drain does not delete a picture that is in use', async () => {
    await put(await photo());
    const [key] = await stored();
    await guardUploads(host.pool, { keys: [key ?? ''], at: 0 });
    await drainEverything(host);
    expect(await stored()).toEqual([key]);
  });

  test('deleting a person deletes the picture', async () => {
    await put(await photo());
    await host.rows('delete from "user" where id = $1', [person.id]);
    await drainEverything(host);
    expect(await stored()).toEqual([]);
  });
});

test('a room stored sideways becomes an upright square without the position in its metadata', async () => {
  const answer = await put(await sidewaysRoom());
  expect(answer.status).toBe(200);
  const { bytes } = await ask(host, pathOf(answer.body.image));
  expect(await looks(bytes)).toBe('jpeg 512x512');
  expect((await sharp(bytes).metadata()).exif).toBeUndefined();
});
