import { describe, expect, test } from 'vitest';
import { useApiHost } from '../../../support/http/api-host.ts';

const host = useApiHost();

describe('users', () => {
  test('getMe needs a session', async () => {
    const answer = await host.anonymous().query('users.getMe');
    expect(answer.status).toBe(401);
    expect(answer.errorCode).toBe('UNAUTHORIZED');
  });

  test('a customer becomes an agent at once and stays one', async () => {
    const person = await host.signedIn({ role: 'customer', name: '' });
    const me = await person.query('users.getMe');
    expect(me.status).toBe(200);
    expect(me.data).toEqual({
      id: person.id,
      email: `${person.id}@example.com`,
      name: '',
      image: null,
      role: 'customer',
      locale: 'en',
      phone: null,
      mutedMails: [],
      agent: null,
      createdAt: '2026-01-15T12:00:00.000Z',
    });
    const become = await person.mutate('users.becomeAgent', {
      licenseNumber: ' L-77 ',
      officeName: 'Corner Office',
      phone: '+1 206 555 0100',
    });
    expect(become.data).toMatchObject({
      role: 'agent',
      agent: { licenseNumber: 'L-77', officeName: 'Corner Office', phone: '+1 206 555 0100' },
    });
    expect((await person.query('users.getMe')).data).toEqual(become.data);
    // The very next call has the role.
    expect((await person.query('properties.listMine', {})).status).toBe(200);
  });

  test('becoming an agent again renews the license and keeps omitted fields', async () => {
    const person = await host.signedIn({ role: 'customer', name: 'Ada', locale: 'es' });
    const first = { licenseNumber: 'L-1', officeName: 'First', phone: '+52 55 5555 0100' };
    await person.mutate('users.becomeAgent', first);
    const second = await person.mutate('users.becomeAgent', { licenseNumber: 'L-2', officeName: 'Second' });
    expect(second.data).toMatchObject({
      role: 'agent',
      name: 'Ada',
      locale: 'es',
      agent: { licenseNumber: 'L-2', officeName: 'Second', phone: first.phone },
    });
    const noPhone = { licenseNumber: 'L-2', officeName: 'Second', phone: null };
    expect((await person.mutate('users.becomeAgent', noPhone)).data.agent.phone).toBe(first.phone);
    const rows = await host.rows('select "licenseNumber", "officeName" from "user" where id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([{ licenseNumber: 'L-2', officeName: 'Second' }]);
  });

  test.each([
    ['a licence', { officeName: 'Office' }, 'licenseNumber'],
    ['an office', { licenseNumber: 'L-1' }, 'officeName'],
    ['a licence that says something', { licenseNumber: ' ', officeName: 'Office' }, 'licenseNumber'],
  ])('a call without %s makes no one an agent', async (_, input, field) => {
    const person = await host.signedIn({ role: 'customer' });
    const answer = await person.mutate('users.becomeAgent', input);
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual([field]);
    expect((await person.query('users.getMe')).data).toMatchObject({ role: 'customer', agent: null });
  });

  test('updateProfile writes the given fields and no others', async () => {
    const person = await host.signedIn({ phone: '1', name: 'Old' });
    expect((await person.mutate('users.updateProfile', { name: 'Zoë 🐈' })).data).toMatchObject({
      name: 'Zoë 🐈',
      locale: 'en',
      agent: { phone: '1' },
    });
    expect((await person.mutate('users.updateProfile', { locale: 'es', phone: null })).data).toMatchObject({
      name: 'Zoë 🐈',
      locale: 'es',
      agent: { phone: null },
    });
    expect((await person.mutate('users.updateProfile', {})).data).toMatchObject({ name: 'Zoë 🐈' });
  });

  test.each([
    ['an empty name', { name: '  ' }, 'name'],
    ['a name with NUL', { name: 'a\u0000b' }, 'name'],
    ['a lone surrogate', { name: 'a\ud800b' }, 'name'],
    ['another language', { locale: 'fr' }, 'locale'],
  ])('updateProfile rejects %s', async (_, input, field) => {
    const person = await host.signedIn();
    const answer = await person.mutate('users.updateProfile', input);
    expect(answer.status).toBe(400);
    expect(answer.errorCode).toBe('INVALID_INPUT');
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual([field]);
  });

  test('no call can set a role', async () => {
    const person = await host.signedIn({ role: 'customer' });
    const answer = await person.mutate('users.updateProfile', { name: 'x', role: 'agent' });
    expect([answer.status, Object.keys(answer.body.error.json.data.fields)]).toEqual([400, ['role']]);
    expect((await person.query('users.getMe')).data).toMatchObject({ role: 'customer', name: 'Ada Agent' });
  });
});
