import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_SAVED_SEARCHES } from '../../../../../machines/limits.ts';
import { createAlertTokens } from '../../../../../src/mail/alerts/alert-tokens.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { sharedStack } from '../../../../support/platform/stack.ts';

/** docs/contract.md#saved-searches */
const host = useApiHost();
let person: Person;
beforeEach(async () => {
  person = await host.signedIn({ role: 'customer' });
});

const SEATTLE = { price: { max: 900_000 }, beds: { min: 2 } };
const save = (input: object = {}, by = person) =>
  by.mutate('searches.save', { filters: SEATTLE, cadence: 'INSTANT', channels: ['MAIL'], ...input });
const listed = async (by = person) => (await by.query('searches.list')).data.items;
const keysOf = (id: string) => host.rows('select from saved_search_keys where "searchId" = $1', [id]);

describe('a saved search', () => {
  test('has what was given, a name, and the filters of the list', async () => {
    const { data } = await save({ name: 'Two rooms', sort: 'NEWEST', channels: ['PUSH', 'PUSH'] });
    expect(data).toMatchObject({
      name: 'Two rooms',
      sort: 'NEWEST',
      cadence: 'INSTANT',
      channels: ['PUSH'],
      newHomes: 0,
      filters: { ...SEATTLE, statuses: ['Active', 'Active Under Contract', 'Coming Soon', 'Pending'] },
    });
    expect(await listed()).toEqual([data]);
    // The filters that come back are those that may be sent again.
    expect((await person.query('search.list', { filters: data.filters })).errorCode).toBeUndefined();
    expect((await save({ filters: { beds: { min: 9 } } })).data.name).toBe('My search');
  });

  test('is one search for the same filters, also when it is saved twice at once', async () => {
    const answers = await Promise.all([save(), save(), save()]);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const again = await save({ cadence: 'DAILY', channels: ['PUSH'], name: 'Later' });
    expect(again.data).toMatchObject({
      id: answers[0]?.data.id,
      name: 'Later',
      cadence: 'DAILY',
      channels: ['PUSH'],
    });
    expect((await save({ cadence: 'DAILY' })).data.name).toBe('Later');
    expect(await listed()).toHaveLength(1);
    expect(await listed(await host.signedIn())).toEqual([]);
  });

  test('of a person is one of fifty', async () => {
    const filters = (number: number) => ({ filters: { beds: { min: number } } });
    for (let number = 0; number < MAX_SAVED_SEARCHES; number += 1)
      expect((await save({ ...filters(number), cadence: 'NONE' })).errorCode).toBeUndefined();
    expect((await save(filters(99))).errorCode).toBe('QUOTA_REACHED');
    // One that is there already is no further one.
    expect((await save(filters(3))).data.cadence).toBe('INSTANT');
    await person.mutate('searches.remove', { id: (await listed())[0].id });
    expect((await save(filters(99))).errorCode).toBeUndefined();
  });

  test.each([
    ['a place that no one knows', { filters: { placeId: 'nowhere:at:all' } }],
    ['a distance from nothing', { sort: 'DISTANCE' }],
    ['no channel', { channels: [] }],
    ['a long name', { name: 'x'.repeat(81) }],
    ['another filter', { filters: { color: 'red' } }],
  ])('is not saved with %s', async (_what, input) => {
    expect((await save(input)).errorCode).toBe('INVALID_INPUT');
    expect(await listed()).toEqual([]);
  });

  test('is changed, marked as seen and removed by its person alone', async () => {
    const { id } = (await save()).data;
    const other = await host.signedIn();
    for (const [name, input] of [
      ['update', { name: 'Mine' }],
      ['markSeen', {}],
    ] as const)
      for (const known of [id, randomUUID()])
        expect((await other.mutate(`searches.${name}`, { id: known, ...input })).errorCode).toBe('NOT_FOUND');
    expect((await other.mutate('searches.remove', { id })).data).toEqual({ id });
    expect(await listed()).toHaveLength(1);
    const changed = await person.mutate('searches.update', { id, name: 'Ours', cadence: 'WEEKLY' });
    expect(changed.data).toMatchObject({ id, name: 'Ours', cadence: 'WEEKLY', channels: ['MAIL'] });
    expect((await person.mutate('searches.markSeen', { id })).data).toEqual({ id });
    for (let time = 0; time < 2; time += 1)
      expect((await person.mutate('searches.remove', { id })).data).toEqual({ id });
    expect(await listed()).toEqual([]);
  });

  test('has keys while its alerts are instant', async () => {
    const { id } = (await save({ cadence: 'DAILY' })).data;
    expect(await keysOf(id)).toHaveLength(0);
    await person.mutate('searches.update', { id, cadence: 'INSTANT' });
    expect(await keysOf(id)).toHaveLength(1);
    await person.mutate('searches.update', { id, cadence: 'NONE' });
    expect(await keysOf(id)).toHaveLength(0);
  });
});

describe('alerts', () => {
  const settings = async () => (await person.query('alerts.getSettings')).data;
  const tokens = createAlertTokens(sharedStack().secrets.authSecret);

  test('about saved homes come at once, by mail and as notices, until the person says otherwise', async () => {
    expect(await settings()).toEqual({ cadence: 'INSTANT', channels: ['MAIL', 'PUSH'] });
    await person.mutate('alerts.updateSettings', { cadence: 'DAILY' });
    await person.mutate('alerts.updateSettings', { channels: ['PUSH'] });
    expect(await settings()).toEqual({ cadence: 'DAILY', channels: ['PUSH'] });
  });

  test('end by the token of a mail, without a session: one search, saved homes, or all', async () => {
    const anyone = host.anonymous();
    const userId = person.id;
    const { id } = (await save()).data;
    const other = (await save({ filters: {}, channels: ['MAIL', 'PUSH'], name: 'All' })).data;
    const token = tokens.sign({ userId, about: 'SEARCH', searchId: id });
    for (let time = 0; time < 2; time += 1)
      expect((await anyone.mutate('alerts.unsubscribe', { token })).data).toEqual({
        about: 'SEARCH',
        name: 'My search',
      });
    const cadences = async () =>
      Object.fromEntries((await listed()).map((one: { id: string }) => [one.id, one]));
    expect((await cadences())[id]).toMatchObject({ cadence: 'NONE' });
    expect((await cadences())[other.id]).toMatchObject({ cadence: 'INSTANT', channels: ['MAIL', 'PUSH'] });
    expect((await settings()).cadence).toBe('INSTANT');
    expect((await anyone.mutate('alerts.unsubscribe', { token, all: true })).data.about).toBe('ALL');
    expect((await cadences())[other.id]).toMatchObject({ cadence: 'INSTANT', channels: ['PUSH'] });
    expect(await settings()).toEqual({ cadence: 'INSTANT', channels: ['PUSH'] });
  });

  test('do not end by a token that is not signed, or of which one character differs', async () => {
    const token = tokens.sign({ userId: person.id, about: 'ALL' });
    const forged = createAlertTokens('another secret of the same length').sign({
      userId: person.id,
      about: 'ALL',
    });
    for (const wrong of ['', 'x', forged, token.replace('ALL', 'SAVED_HOMES')])
      expect((await host.anonymous().mutate('alerts.unsubscribe', { token: wrong })).errorCode).toBe(
        'NOT_FOUND',
      );
    expect((await settings()).cadence).toBe('INSTANT');
  });

  test('end by the one click of a mail program, and not by opening the address', async () => {
    const token = tokens.sign({ userId: person.id, about: 'SAVED_HOMES' });
    const address = `${host.url}/api/alert-switches/${token}`;
    const opened = await fetch(address, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/\/unsubscribe\?token=/),
    ]);
    expect((await settings()).cadence).toBe('INSTANT');
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
    expect(await settings()).toEqual({ cadence: 'INSTANT', channels: ['PUSH'] });
    expect((await fetch(`${address}x`, { method: 'POST', body })).status).toBe(404);
  });
});
