import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedProperty } from '../../../../support/database/seed.ts';
import { eventually } from '../../../../support/eventually.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { setClock } from '../../../../support/worlds/tour-visits.ts';

const clock = setClock();
let agentId: string;
const host = useApiHost({ overrides: clock.overrides });
beforeAll(async () => {
  agentId = (await host.signedIn()).id;
});

const home = (columns: Record<string, unknown> = {}) =>
  seedProperty(host.pool, { ownerAgentId: agentId, ...columns });
const customer = () => host.signedIn({ role: 'customer' });
const merge = (person: Person, input: object = {}) => person.mutate('homes.merge', input);

describe('homes.merge', () => {
  test('adds what each device knows, the latest first, and gives each all of it', async () => {
    const [person, other] = [await customer(), await customer()];
    const [a, b, c] = [await home(), await home(), await home()];
    clock.at += 1_000;
    expect((await merge(person, { seen: [b, a], hidden: [c] })).data).toEqual({ seen: [b, a], hidden: [c] });
    clock.at += 1_000;
    expect((await merge(person, { seen: [a, c], hidden: [c, b] })).data).toEqual({
      seen: [a, c, b],
      hidden: [c, b],
    });
    expect((await merge(person)).data).toEqual({ seen: [a, c, b], hidden: [c, b] });
    expect((await merge(person, { hidden: [a], restored: [a, c, randomUUID()] })).data.hidden).toEqual([b]);
    expect((await merge(other)).data).toEqual({ seen: [], hidden: [] });
  });

  test('keeps no home without a public page, and answers as for an unknown one', async () => {
    const person = await customer();
    const draft = await home({ standardStatus: 'Incomplete' });
    const left = await home();
    for (const id of [draft, randomUUID()])
      expect((await merge(person, { seen: [id], hidden: [id], restored: [id] })).data).toEqual({
        seen: [],
        hidden: [],
      });
    await merge(person, { seen: [left] });
    await host.rows(`update properties set "standardStatus" = 'Delete' where id = $1`, [left]);
    expect((await merge(person)).data.seen).toEqual([]);
    expect((await merge(host.anonymous())).status).toBe(401);
    expect((await merge(person, { seen: Array(501).fill(left) })).status).toBe(400);
  });

  test('waits for another device before it changes a row, so neither waits for the other', async () => {
    const person = await customer();
    const [kept, added] = [await home(), await home()];
    await merge(person, { hidden: [kept] });
    const other = await host.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM "user" WHERE id = $1 FOR NO KEY UPDATE', [person.id]);
      const merging = merge(person, { hidden: [kept, added] });
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await eventually(async () => (await host.rows(waits)).length > 0, { what: 'the merge waits' });
      await other.query('DELETE FROM hidden_homes WHERE "userId" = $1', [person.id]);
      await other.query('COMMIT');
      expect(await merging).toMatchObject({ status: 200, data: { hidden: [kept, added] } });
    } finally {
      other.release(true);
    }
  });

  test('the table keeps the latest 500 and 200, also when two devices write at once', async () => {
    const person = await customer();
    await host.rows(
      `insert into properties (id, "ownerAgentId", "listPrice", address, city, "standardStatus")
       select gen_random_uuid(), $1, 1, number || ' Mark Street', 'Markton', 'Active' from generate_series(1, 700) number`,
      [agentId],
    );
    const all = (
      await host.rows<{ id: string }>(`select id from properties where city = 'Markton' order by id`)
    ).map(({ id }) => id);
    clock.at += 1_000;
    await merge(person, { seen: all.slice(0, 400), hidden: all.slice(0, 150) });
    clock.at += 1_000;
    await Promise.all([
      merge(person, { seen: all.slice(400, 600), hidden: all.slice(400, 500) }),
      merge(person, { seen: all.slice(600, 700), hidden: all.slice(600, 700) }),
    ]);
    const { seen, hidden } = (await merge(person)).data;
    expect([seen.length, hidden.length]).toEqual([500, 200]);
    expect(new Set(seen)).toEqual(new Set([...all.slice(0, 200), ...all.slice(400)]));
    expect(new Set(hidden)).toEqual(new Set([...all.slice(400, 500), ...all.slice(600, 700)]));
    const kept = await host.rows<{ count: number }>(
      `select count(*)::int as count from seen_homes where "userId" = $1
       union all select count(*)::int from hidden_homes where "userId" = $1`,
      [person.id],
    );
    expect(kept.map(({ count }) => count)).toEqual([500, 200]);
  });
});
