import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { seedOriginal, seedProperty } from '../../../support/database/seed.ts';
import { startApiHost, useApiHost } from '../../../support/http/api-host.ts';
import { corners, noisy } from '../../../support/pictures/photo-fixtures.ts';
import { ask, looks, storedOriginal, storedVariant } from '../../../support/pictures/stored-pictures.ts';

let propertyId: string;
let photo: Buffer;
let imageId: string;
let path: string;
const host = useApiHost();
beforeAll(async () => {
  propertyId = await seedProperty(host.pool);
  photo = await noisy(1200, 800).jpeg({ quality: 90 }).toBuffer();
  ({ imageId } = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' }));
  path = `/api/images/${imageId}`;
});

describe('the stored picture', () => {
  test('is returned byte for byte, and may be cached for a day', async () => {
    const { status, headers, bytes } = await ask(host, path);
    expect(status).toBe(200);
    expect(bytes.equals(photo)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(photo.length),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400, immutable',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    expect(headers).not.toHaveProperty('vary');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('is the same with a trailing slash, in upper case and for a signed-in person', async () => {
    const person = await host.signedIn({ role: 'customer' });
    const plain = await ask(host, path);
    for (const answer of [
      await ask(host, `${path}/`),
      await ask(host, `/api/images/${imageId.toUpperCase()}`),
      await ask(host, path, { as: person }),
    ]) {
      expect(answer.bytes.equals(photo)).toBe(true);
      expect(answer.headers.etag).toBe(plain.headers.etag);
      expect(answer.headers['cache-control']).toContain('public');
    }
  });

  test('of a row from an earlier release is served with its real type, or as bytes', async () => {
    const original = await seedOriginal(host.pool, { propertyId });
    await host.putObject(original.objectKey, photo);
    const answer = await ask(host, `/api/images/${original.imageId}`);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
    });
    const small = await ask(host, `/api/images/${original.imageId}?w=128&format=jpeg`);
    expect(await looks(small.bytes)).toBe('jpeg 128x85');
  });
});

describe('smaller copies', () => {
  test.each([
    ['w=300&format=jpeg', 'jpeg 384x256'],
    ['h=100&format=webp', 'webp 192x128'],
    ['w=128&h=128&format=jpeg', 'jpeg 128x128'],
    ['w=128&h=128&fit=contain&format=jpeg', 'jpeg 128x85'],
    ['w=128&format=avif', 'avif 128x85'],
    ['w=2048&format=webp', 'webp 1200x800'],
    ['w=4096&h=4096&format=jpeg', 'jpeg 800x800'],
    ['q=40', 'jpeg 1200x800'],
  ])('%s -> %s', async (query, expected) => {
    const { status, headers, bytes } = await ask(host, `${path}?${query}`);
    expect(status).toBe(200);
    expect(await looks(bytes)).toBe(expected);
    const format = expected.split(' ')[0] ?? '';
    expect(headers).toMatchObject({
      'content-type': `image/${format}`,
      'content-length': String(bytes.length),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400, immutable',
    });
  });

  test('a lower quality is smaller', async () => {
    const sizes = await Promise.all(
      [40, 60, 80, 90].map(async (q) => (await ask(host, `${path}?w=512&format=jpeg&q=${q}`)).bytes.length),
    );
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(new Set(sizes).size).toBe(4);
  });

  test.each([
    [{}, 'image/jpeg'],
    [{ accept: 'image/webp,*/*' }, 'image/webp'],
    [{ accept: 'image/avif' }, 'image/avif'],
    [{ accept: 'image/avif,image/webp,*/*;q=0.8' }, 'image/webp'],
  ])('the Accept header decides: %j -> %s', async (headers: Record<string, string>, type) => {
    for (const query of ['w=256', 'w=256&format=auto']) {
      const answer = await ask(host, `${path}?${query}`, { headers });
      expect(answer.headers).toMatchObject({ 'content-type': type, vary: 'Accept' });
    }
    const chosen = await ask(host, `${path}?w=256&format=jpeg`, { headers });
    expect(chosen.headers['content-type']).toBe('image/jpeg');
    expect(chosen.headers).not.toHaveProperty('vary');
  });

  test('transparency stays in WebP and becomes white in JPEG', async () => {
    const bytes = await sharp({ create: { width: 200, height: 100, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    const clear = await storedOriginal(host, { propertyId, bytes, format: 'png' });
    const firstPixel = async (format: string) => {
      const answer = await ask(host, `/api/images/${clear.imageId}?w=64&format=${format}`);
      return [...(await sharp(answer.bytes).raw().toBuffer())].slice(0, 4);
    };
    expect((await firstPixel('jpeg')).slice(0, 3)).toEqual([255, 255, 255]);
    expect((await firstPixel('webp'))[3]).toBe(0);
    expect((await ask(host, `/api/images/${clear.imageId}`)).headers['content-type']).toBe('image/png');
  });

  test('a staged picture has its disclosure in the metadata; an original has none', async () => {
    const turned = await corners().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
    const variant = await storedVariant(host, original, {
      bytes: turned,
      format: 'jpeg',
      reviewStatus: 'APPROVED',
    });
    for (const format of ['jpeg', 'webp', 'avif']) {
      const staged = await ask(host, `/api/images/${variant}?w=64&format=${format}`);
      const { xmp, exif, icc, orientation } = await sharp(staged.bytes).metadata();
      expect(xmp?.toString()).toContain('digitalsourcetype/compositeWithTrainedAlgorithmicMedia');
      expect({ exif, icc, orientation }).toEqual({});
      const plain = await ask(host, `/api/images/${original.imageId}?w=64&format=${format}`);
      expect((await sharp(plain.bytes).metadata()).xmp).toBeUndefined();
    }
    // Stored sideways, displayed upright.
    const upright = await ask(host, `/api/images/${variant}?w=64&format=jpeg`);
    expect(await looks(upright.bytes)).toBe('jpeg 64x96');
    const whole = await ask(host, `/api/images/${variant}`);
    expect(await looks(whole.bytes)).toBe('jpeg 64x96');
  });

  test.each(['w=0', 'w=64&w=64', 'fit=stretch', 'format=png', 'q=1000', 'url=http://10.0.0.1/', 'w=1e3'])(
    '%s is rejected, for known and unknown ids alike',
    async (query) => {
      const answers = await Promise.all(
        [imageId, 'f0000000-0000-4000-8000-000000000000', 'nonsense'].map((id) =>
          ask(host, `/api/images/${id}?${query}`),
        ),
      );
      for (const { status, headers, bytes } of answers) {
        expect([status, headers['cache-control']]).toEqual([400, 'no-store']);
        expect(JSON.parse(bytes.toString()).error).toMatchObject({
          code: 'INVALID_INPUT',
          fields: { [query.split('=')[0] ?? '']: [expect.any(String)] },
        });
        expect(bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
      }
    },
  );

  test('other methods are not allowed', async () => {
    const answer = await host.anonymous().send('POST', path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('conditional requests', () => {
  test.each(['', '?w=256&format=webp', '?w=256'])('%s: 304 for its own tag', async (query) => {
    const first = await ask(host, path + query);
    const tag = first.headers.etag ?? '';
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await ask(host, path + query, { headers: { 'if-none-match': value } });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers).toMatchObject({ etag: tag, 'cache-control': first.headers['cache-control'] });
      expect(again.headers.vary).toBe(first.headers.vary);
    }
    const changed = await ask(host, path + query, { headers: { 'if-none-match': '"other"' } });
    expect(changed.status).toBe(200);
  });

  test('every format, size, quality and picture has a different tag', async () => {
    const other = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
    const paths = ['', '?w=256', '?w=384', '?w=256&q=40', '?w=256&format=webp', '?w=256&h=256'];
    const tags = await Promise.all(
      [...paths.map((query) => path + query), `/api/images/${other.imageId}`].map(
        async (one) => (await ask(host, one)).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(tags.length);
    const same = await ask(host, `${path}?w=200&format=jpeg`);
    expect(same.headers.etag).toBe(tags[1]);
  });

  test.each(['', '?w=256&format=webp', '?w=512'])('HEAD %s is GET without the body', async (query) => {
    const [get, head] = [await ask(host, path + query), await ask(host, path + query, { method: 'HEAD' })];
    expect(head.bytes).toHaveLength(0);
    const { date: _, 'x-request-id': __, ...expected } = get.headers;
    expect(head.headers).toMatchObject(expected);
    const known = { 'if-none-match': get.headers.etag ?? '' };
    expect((await ask(host, path + query, { method: 'HEAD', headers: known })).status).toBe(304);
  });
});

describe('failures', () => {
  test('a picture whose object is missing is not found, and is logged', async () => {
    const lost = await seedOriginal(host.pool, { propertyId });
    for (const query of ['', '?w=64']) {
      const before = host.lines.length;
      const answer = await ask(host, `/api/images/${lost.imageId}${query}`);
      expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
      expect(answer.headers).not.toHaveProperty('etag');
      expect(host.lines.slice(before)).toContainEqual(
        expect.objectContaining({
          msg: 'an image has lost its object',
          imageId: lost.imageId,
          level: 'error',
        }),
      );
    }
  });

  test('an unreachable object store is an outage', async () => {
    const broken = await startApiHost({ settings: { S3_BUCKET: 'no-such-bucket' } });
    try {
      const { imageId: own } = await seedOriginal(broken.pool);
      for (const query of ['', '?w=64']) {
        const answer = await ask(broken, `/api/images/${own}${query}`);
        expect(answer.status).toBe(503);
        expect(answer.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
      }
    } finally {
      await broken.stop();
    }
  });

  test('clients that disconnect in the middle leave nothing behind, and the next one is served', async () => {
    const large = await noisy(4000, 3000).png({ compressionLevel: 1 }).toBuffer();
    const { imageId: id } = await storedOriginal(host, { propertyId, bytes: large, format: 'png' });
    for (const query of ['', '?w=1600&format=webp']) {
      const leaving = new AbortController();
      const left = request(`${host.url}/api/images/${id}${query}`, { signal: leaving.signal }).then(
        async ({ body }) => {
          for await (const _ of body) leaving.abort();
        },
      );
      if (query !== '') leaving.abort();
      await expect(left).rejects.toThrow();
    }
    const whole = await ask(host, `/api/images/${id}`);
    expect(whole.bytes.equals(large)).toBe(true);
    expect((await ask(host, `/api/images/${id}?w=64`)).status).toBe(200);
  });

  test('a hundred simultaneous requests for a dozen sizes are all served', async () => {
    const { imageId: id } = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
    const answers = await Promise.all(
      Array.from({ length: 96 }, (_, at) =>
        ask(host, `/api/images/${id}?w=${64 + (at % 12) * 64}&format=webp`),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
