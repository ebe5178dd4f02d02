import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDeepLink } from '../../../clients/typescript/deep-links.ts';
import { imageUrl } from '../../../clients/typescript/images.ts';
import * as words from '../../../clients/typescript/open-values.ts';
import { parseSetCookie } from '../../../clients/typescript/set-cookie.ts';
import { DEFAULT_RETRIES, retryDelay } from '../../../clients/typescript/timing.ts';
import {
  AI_JOB_STATUSES,
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
  REVIEW_STATUSES,
  TOUR_STATUSES,
} from '../../../machines/vocabulary.ts';
import { DISPOSITIONS } from '../../../src/wire/staging-jobs.ts';

const ID = '3f0c0b1e-6f5d-4f5e-9a4e-0d6a5f3f2b11';
const NOW = Date.parse('2026-01-15T12:00:00Z');

describe('deep links', () => {
  test.each([
    [`app-user://properties/${ID}`, ID],
    [`app-user://properties/${ID}/`, ID],
    [`APP-User://properties/${ID}`, ID],
    [`app-user://Properties/${ID}?utm=x#y`, ID],
    [`app-user://properties/${ID}/?a=/b`, ID],
    ['app-user://properties/caf%C3%A9', 'café'],
    ['app-user://properties/%33f', '3f'],
  ])('%s opens a property', (link, listingId) => {
    expect(parseDeepLink(link)).toEqual({ screen: 'property', listingId });
  });

  test.each(['app-user://tours', 'app-user://tours/', 'APP-USER://tours?from=mail', 'app-user://TOURS#top'])(
    '%s opens My Tours',
    (link) => expect(parseDeepLink(link)).toEqual({ screen: 'tours' }),
  );

  test.each([
    '',
    'tours',
    ` app-user://tours`,
    'app-user:tours',
    'app-user:/tours',
    'app-user:///tours',
    'app-users://tours',
    'https://tours',
    'app-user://',
    'app-user://tours/1',
    'app-user://tours//',
    'app-user://tour',
    'app-user://properties',
    'app-user://properties/',
    'app-user://properties//',
    `app-user://properties/${ID}/images`,
    `app-user://properties/${ID}//`,
    'app-user://properties/%',
    'app-user://properties/%E0%A4%A',
    'app-user://properties/a%2Fb',
    'app-user://properties/a%5Cb',
    'app-user://properties/a%0Ab',
    'app-user://properties/%00',
    'app-user://properties/%20',
    'app-user://properties/..',
    'app-user://properties/%2E%2E',
    `app-user://user@properties/${ID}`,
    `app-user://properties:80/${ID}`,
    `app-user://tours\n`,
    `app-user://favorites`,
  ])('%j opens nothing', (link) => expect(parseDeepLink(link)).toBeNull());

  test('every id without path, white space or control characters is read back as it was sent', () => {
    const id = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/[/\\\p{Cc}\p{Z}]|^\.\.?$/u.test(text));
    fc.assert(
      fc.property(id, (listingId) => {
        const link = `app-user://properties/${encodeURIComponent(listingId)}`;
        expect(parseDeepLink(link)).toEqual({ screen: 'property', listingId });
      }),
    );
  });

  test('no text makes the parser throw', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseDeepLink(`app-user://properties/${text}`)));
  });
});

describe('Set-Cookie', () => {
  test.each([
    ['a=b', { name: 'a', value: 'b' }],
    ['a=b=c==; Path=/; HttpOnly; Secure; SameSite=Lax', { name: 'a', value: 'b=c==' }],
    [' __Secure-s = "x%20y" ; Max-Age=604800', { name: '__Secure-s', value: '"x%20y"' }],
    ['a=', { name: 'a', value: '' }],
    ['a=b; Max-Age=0', { name: 'a', value: null }],
    ['a=b; max-age=-1', { name: 'a', value: null }],
    ['a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT', { name: 'a', value: null }],
    ['a=b; Expires=Thu, 15 Jan 2026 12:00:00 GMT', { name: 'a', value: null }],
    ['a=b; Expires=Thu, 15 Jan 2026 12:00:01 GMT', { name: 'a', value: 'b' }],
    ['a=b; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT', { name: 'a', value: 'b' }],
    ['a=b; Max-Age=0; Expires=Fri, 15 Jan 2027 12:00:00 GMT', { name: 'a', value: null }],
    ['a=b; Max-Age=0; Max-Age=9', { name: 'a', value: 'b' }],
    ['a=b; Max-Age=soon; Expires=whenever', { name: 'a', value: 'b' }],
    ['=b', null],
    ['a', null],
    ['a b=c', null],
    ['a=b\u0000c', null],
    ['a=é', null],
    ['', null],
  ])('%j', (header, change) => expect(parseSetCookie(header, NOW)).toEqual(change));
});

describe('enum values', () => {
  test('the lists are the same as those of the API host', () => {
    expect(words.JOB_STATUSES.toSorted()).toEqual(AI_JOB_STATUSES.toSorted());
    expect(words.DISPOSITIONS.toSorted()).toEqual(DISPOSITIONS.toSorted());
    expect(words.REVIEW_STATUSES.toSorted()).toEqual(REVIEW_STATUSES.toSorted());
    expect(words.ROOM_TYPES.toSorted()).toEqual(CANONICAL_ROOM_TYPES.toSorted());
    expect(words.TOUR_STATUSES.toSorted()).toEqual(TOUR_STATUSES.toSorted());
    expect(words.STYLES.toSorted()).toEqual(CANONICAL_STYLES.toSorted());
  });

  test('an unknown status equals none of the known ones and does not count as final', () => {
    expect(words.isOneOf(words.JOB_STATUSES, 'RETRYING')).toBe(true);
    expect(words.isOneOf(words.JOB_STATUSES, 'SUSPENDED')).toBe(false);
    expect(words.isOneOf(words.JOB_STATUSES, 'retrying')).toBe(false);
    expect(words.isOneOf(words.DISPOSITIONS, null)).toBe(false);
    expect(words.JOB_STATUSES.filter(words.isOver)).toEqual(['SUCCESS', 'FAILED', 'CANCELED']);
    expect(words.isOver('SUSPENDED')).toBe(false);
  });
});

describe('back-off', () => {
  test('doubles up to the longest wait, with jitter in its upper half', () => {
    const delays = [1, 2, 3, 4, 5, 9].map((attempt) => retryDelay(DEFAULT_RETRIES, { attempt, random: 0 }));
    expect(delays).toEqual([125, 250, 500, 1000, 2000, 2000]);
    expect(retryDelay(DEFAULT_RETRIES, { attempt: 1, random: 0.5 })).toBe(187.5);
    expect(retryDelay(DEFAULT_RETRIES, { attempt: 60, random: 0.999 })).toBeLessThan(4_000);
  });
});

test('image URLs carry the requested parameters and nothing else', () => {
  expect(imageUrl('https://api.example.com', ID)).toBe(`https://api.example.com/api/images/${ID}`);
  expect(
    imageUrl('https://api.example.com', ID, {
      width: 640,
      height: 480,
      fit: 'cover',
      format: 'webp',
      quality: 80,
    }),
  ).toBe(`https://api.example.com/api/images/${ID}?w=640&h=480&fit=cover&format=webp&q=80`);
  expect(imageUrl('https://api.example.com', '../x?y')).toBe('https://api.example.com/api/images/..%2Fx%3Fy');
});
