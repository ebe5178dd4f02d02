import { describe, expect, test } from 'vitest';
import { createHomeMarks } from '../../../../clients/web/session/home-marks.ts';
import { forgetOthers, HOME_MARKS } from '../../../../clients/web/session/kept-of-person.ts';
import { createKeeper } from '../../../../clients/web/site/keeper.ts';

type Sent = { seen?: string[]; hidden?: string[]; restored?: string[] };

/** A browser of one person or none, and a server that answers when the test says so. */
function browser(personId: string | null = null) {
  const stored = new Map<string, string>();
  const keeper = createKeeper(() => ({
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  }));
  const calls: { sent: Sent; answer(known: { seen: string[]; hidden: string[] } | Error): Promise<void> }[] =
    [];
  const now = { person: personId };
  const marks = createHomeMarks({
    keeper,
    person: () => now.person,
    merge: (sent) =>
      new Promise((resolve, reject) =>
        calls.push({
          sent: sent as Sent,
          async answer(known) {
            if (known instanceof Error) reject(known);
            else resolve(known);
            await new Promise((done) => setImmediate(done));
          },
        }),
      ),
  });
  return { keeper, stored, marks, calls, now };
}

describe('the homes that a device has marked', () => {
  test('are those of a visitor, and the person’s who signs in; what is marked meanwhile is sent next', async () => {
    const { keeper, marks, calls, now } = browser();
    marks.see('a');
    marks.hide('b');
    expect(calls).toEqual([]);
    now.person = 'ann';
    forgetOthers(keeper, 'ann');
    marks.refresh();
    expect(calls.map(({ sent }) => sent)).toEqual([{ seen: ['a'], hidden: ['b'], restored: [] }]);
    marks.restore(['b']);
    marks.hide('c');
    await calls[0]?.answer({ seen: ['a', 'x'], hidden: ['b', 'y'] });
    expect(marks.current()).toMatchObject({ seen: ['a', 'x'], hidden: ['c', 'y'] });
    expect(calls[1]?.sent).toEqual({ seen: [], hidden: ['c'], restored: ['b'] });
    await calls[1]?.answer({ seen: ['a', 'x'], hidden: ['c', 'y'] });
    marks.refresh();
    expect(calls).toHaveLength(2);
  });

  test('stay unsent when a call fails, and go with the next change', async () => {
    const { marks, calls } = browser('ann');
    marks.see('a');
    await calls[0]?.answer(new Error('no network'));
    marks.see('b');
    expect(calls[1]?.sent).toEqual({ seen: ['b', 'a'], hidden: [], restored: [] });
    await calls[1]?.answer({ seen: ['b', 'a'], hidden: [] });
    expect(marks.current().seen).toEqual(['b', 'a']);
  });

  test('of another person are gone, also when an answer comes late', async () => {
    const { keeper, stored, marks, calls, now } = browser('ann');
    marks.hide('a');
    now.person = 'ben';
    forgetOthers(keeper, 'ben');
    expect(stored.get(HOME_MARKS)).toBeUndefined();
    await calls[0]?.answer({ seen: [], hidden: ['a'] });
    expect(marks.current()).toEqual(expect.objectContaining({ seen: [], hidden: [] }));
    expect(JSON.stringify([...stored])).not.toContain('ann');
  });

  test('are at most 500, 200 and four', () => {
    const { marks } = browser();
    for (let index = 0; index < 510; index += 1) marks.see(`s${index}`);
    for (let index = 0; index < 210; index += 1) marks.hide(`h${index}`);
    const { seen, hidden } = marks.current();
    expect([seen.length, seen[0], hidden.length, hidden[0]]).toEqual([500, 's509', 200, 'h209']);
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => marks.compare(id, true))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    marks.compare('a', false);
    expect(marks.compare('e', true)).toBe(true);
    expect(marks.current().compared).toEqual(['b', 'c', 'd', 'e']);
  });

  test('are none where what is kept is none of ours', () => {
    const { stored, marks } = browser();
    for (const text of ['{', '[1]', '[{"personId":null,"seen":"x","hidden":[1],"unsent":7}]']) {
      stored.set(HOME_MARKS, text);
      expect(marks.current()).toMatchObject({ seen: [], hidden: [], compared: [] });
    }
  });
});
