import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import { acceptedFormat } from '../../../../src/images/decoding/accepted-format.ts';
import { outputSize, planRendition } from '../../../../src/images/decoding/rendition-plan.ts';
import {
  type RenditionRequest,
  readRenditionRequest,
} from '../../../../src/images/decoding/rendition-request.ts';

const read = (query: string) => readRenditionRequest(new URLSearchParams(query));
const DEFAULTS: RenditionRequest = { width: null, height: null, fit: 'cover', format: 'auto', quality: 80 };

describe('accepted parameters', () => {
  test('no parameters mean the stored picture', () => {
    expect(read('')).toBeNull();
  });

  test.each<[string, Partial<RenditionRequest>]>([
    ['w=1', { width: 64 }],
    ['w=64', { width: 64 }],
    ['w=65', { width: 128 }],
    ['w=390', { width: 512 }],
    ['h=1179', { height: 1280 }],
    ['w=2048', { width: 2048 }],
    ['w=2049', { width: 2048 }],
    ['w=4096&h=4096', { width: 2048, height: 2048 }],
    ['fit=contain', { fit: 'contain' }],
    ['format=avif', { format: 'avif' }],
    ['q=1', { quality: 40 }],
    ['q=41', { quality: 60 }],
    ['q=80', { quality: 80 }],
    ['q=100', { quality: 90 }],
    ['w=256&h=256&fit=cover&format=webp&q=60', { width: 256, height: 256, format: 'webp', quality: 60 }],
  ])('%s', (query, expected) => {
    expect(read(query)).toEqual({ ...DEFAULTS, ...expected });
  });

  test.each([
    'w=',
    'w=0',
    'w=-1',
    'w=4097',
    'w=99999',
    'w=1e3',
    'w=0x10',
    'w=256.0',
    'w=NaN',
    'w=Infinity',
    'w=+256',
    'w=%20256',
    'w=256px',
    'w=007',
    'w=٣',
    'w=64&w=64',
    'h=0',
    'h=1e9',
    'h=64&w=1&h=64',
    'fit=fill',
    'fit=COVER',
    'fit=',
    'format=png',
    'format=JPEG',
    'format=',
    'q=0',
    'q=101',
    'q=80.5',
    'q=',
    'q=80&q=80',
    'width=100',
    'url=http://10.0.0.1/',
    'W=100',
    '__proto__=1',
    '=1',
    'w=64&x',
  ])('rejects %s and names the parameter', (query) => {
    const name = /^(w|h|fit|format|q|width|url|W|__proto__)(?==)/.exec(query)?.[0];
    try {
      read(query);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      expect(error.code).toBe('INVALID_INPUT');
      const fields = Object.keys(error.fields ?? {});
      expect(fields).toHaveLength(1);
      if (query !== 'w=64&x') expect(fields).toEqual([name ?? '_']);
    }
  });

  test('reports all errors at once', () => {
    expect(() => read('w=x&h=0&fit=y&format=z&q=0')).toThrow(
      expect.objectContaining({
        fields: {
          w: [expect.stringContaining('64, 128')],
          h: [expect.any(String)],
          fit: [expect.any(String)],
          format: [expect.any(String)],
          q: [expect.stringContaining('40, 60, 80, 90')],
        },
      }),
    );
  });
});

test.each([
  [undefined, 'jpeg'],
  ['', 'jpeg'],
  ['*/*', 'jpeg'],
  ['image/*', 'jpeg'],
  ['text/html', 'jpeg'],
  ['image/webp', 'webp'],
  ['image/webp,*/*', 'webp'],
  ['image/webp;q=0.5,*/*;q=0.8', 'jpeg'],
  ['image/webp;q=0,*/*', 'jpeg'],
  ['image/avif', 'avif'],
  ['image/avif,*/*;q=0.8', 'avif'],
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'webp'],
  ['image/avif,image/webp;q=0.9', 'avif'],
  ['image/avif;q=0.5, image/jpeg', 'jpeg'],
  ['IMAGE/WEBP;Q=0.9, image/*;q=0.9', 'webp'],
  ['image/jpeg;q=0.9, image/webp;q=0.8', 'jpeg'],
  ['image/webp;q=nonsense', 'jpeg'],
  [`${'x'.repeat(5_000)},image/webp`, 'jpeg'],
])('Accept: %s -> %s', (accept, format) => {
  expect(acceptedFormat(accept)).toBe(format);
});

describe('the planned rendition', () => {
  const plan = (query: string, width: number | null = 1200, height: number | null = 800) =>
    planRendition(read(query) ?? DEFAULTS, { width, height }, 'jpeg', null);

  test.each([
    ['contain', 512, 2048, '512x341'],
    ['contain', 2048, 512, '768x512'],
    ['contain', 2048, 2048, '1200x800'],
    ['cover', 512, 512, '512x512'],
    ['cover', 2048, 2048, '800x800'],
    ['cover', 1600, 64, '1200x48'],
  ] as const)('1200x800 into %s %dx%d: %s', (fit, width, height, expected) => {
    const size = outputSize({ width: 1200, height: 800 }, { fit, box: { width, height } });
    expect(`${size.width}x${size.height}`).toBe(expected);
  });

  test('a line of pixels keeps one pixel of height', () => {
    expect(
      outputSize({ width: 9000, height: 3 }, { fit: 'contain', box: { width: 64, height: 64 } }),
    ).toEqual({
      width: 64,
      height: 1,
    });
  });

  test('requests for the same picture share one variant; others do not', () => {
    const variant = (query: string) => plan(query).variant;
    expect(variant('w=1280')).toBe(variant('w=2048'));
    expect(variant('w=500')).toBe(variant('w=512&fit=contain'));
    expect(variant('w=512&h=2048&fit=contain')).toBe(variant('w=512'));
    const different = ['w=512', 'w=384', 'w=512&h=512', 'w=512&q=60', 'h=512'];
    expect(new Set(different.map(variant)).size).toBe(different.length);
    expect(planRendition(DEFAULTS, { width: 9, height: 9 }, 'webp', null).variant).not.toBe(
      plan('w=64', 9, 9).variant,
    );
  });

  test('without a known size the request itself is the plan', () => {
    expect(plan('w=512', null, null).variant).toBe('r1-contain-512x2048-q80.jpeg');
  });
});
