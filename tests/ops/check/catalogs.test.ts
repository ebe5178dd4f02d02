import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type CatalogCheck, catalogProblems, ownCatalogs } from '../../../ops/check/catalogs.ts';
import { REPOSITORY } from '../../support/platform/started-program.ts';

test('the catalogs of this repository are complete', () => {
  expect(catalogProblems(ownCatalogs())).toEqual([]);
});

test('the check runs as a command', () => {
  const said = execFileSync(process.execPath, ['ops/check/catalogs.ts'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect(said).toBe('The message catalogs are whole\n');
});

describe('errors that are found', () => {
  const text = (messages: Record<string, string>): string => `${JSON.stringify(messages, null, 2)}\n`;
  const sound = {
    'a.hello': 'Hello {{name}}',
    'b.left_one': '{{count}} left',
    'b.left_other': '{{count}} left',
  };
  /** Four valid catalogs, some of them replaced. */
  const check = (changes: Partial<Record<'userEn' | 'userEs' | 'agentEn' | 'agentEs', string>>): string[] => {
    const { userEn, userEs, agentEn, agentEs } = {
      userEn: text(sound),
      userEs: text(sound),
      agentEn: text(sound),
      agentEs: text(sound),
      ...changes,
    };
    const given: CatalogCheck = {
      texts: { user: { en: userEn, es: userEs }, agent: { en: agentEn, es: agentEs } },
      families: [
        { name: 'greetings', keys: ['a.hello'], customersToo: true },
        { name: 'secrets', keys: ['c.agents'], customersToo: false },
      ],
      mentioned: new Set(['b.left']),
    };
    return catalogProblems(given).filter((problem) => !problem.includes('c.agents is missing (secrets)'));
  };
  const everywhere = (messages: Record<string, string>) => ({
    userEn: text(messages),
    userEs: text(messages),
    agentEn: text(messages),
    agentEs: text(messages),
  });

  test('none in valid catalogs', () => {
    expect(check({})).toEqual([]);
  });

  test('a key missing in one language', () => {
    const { 'a.hello': _, ...less } = sound;
    expect(check({ agentEs: text(less) })).toEqual([
      'agent: a.hello is missing in es',
      'agent: a.hello is missing, or reads otherwise than for customers, in es',
    ]);
    expect(check({ agentEn: text(less), userEn: text(less) })).toEqual(
      expect.arrayContaining(['user: a.hello is missing in en', 'user: a.hello is missing (greetings)']),
    );
  });

  test('a variable that the translation lacks or names differently', () => {
    for (const wrong of ['Hola', 'Hola {{nombre}}', 'Hola {{name}} {{name}}']) {
      const es = text({ ...sound, 'a.hello': wrong });
      expect(check({ userEs: es, agentEs: es }), wrong).toEqual([
        'user: a.hello has other variables in es than in en',
        'agent: a.hello has other variables in es than in en',
      ]);
    }
  });

  test('an incomplete variable, and an empty message', () => {
    expect(check({ agentEs: text({ ...sound, 'a.hello': 'Hola {name}}' }) })[0]).toBe(
      'i18n/agent/es.json: a.hello has half a variable',
    );
    expect(check({ agentEs: text({ ...sound, 'a.hello': ' ' }) })[0]).toBe(
      'i18n/agent/es.json: a.hello says nothing',
    );
  });

  test('a plural form without its counterpart', () => {
    const { 'b.left_other': _, ...lone } = sound;
    expect(check(everywhere(lone))).toEqual([
      'user: b.left_one lacks its b.left_other',
      'agent: b.left_one lacks its b.left_other',
    ]);
  });

  test('a value that the platform can show and that has no text', () => {
    const { 'a.hello': _, ...less } = sound;
    expect(check(everywhere(less))).toEqual([
      'user: a.hello is missing (greetings)',
      'agent: a.hello is missing (greetings)',
    ]);
  });

  test('a text that no code uses, or that only agents need', () => {
    expect(check(everywhere({ ...sound, 'c.agents': 'x', 'd.old': 'y' }))).toEqual([
      'user: c.agents is said by nothing',
      'user: d.old is said by nothing',
      'agent: d.old is said by nothing',
    ]);
  });

  test('files that are not sorted, hold a key twice, or have another indentation', () => {
    const { 'a.hello': hello, ...rest } = sound;
    const wrong = [
      text({ ...rest, 'a.hello': hello }),
      text(sound).replace('{\n', `{\n  "a.hello": "Hi",\n`),
      JSON.stringify(sound),
    ];
    for (const written of wrong) {
      expect(check({ agentEn: written })).toEqual([
        'i18n/agent/en.json is not sorted, has a key twice, or is not indented by two',
      ]);
    }
  });

  test('texts that differ between agents and customers', () => {
    expect(check({ agentEn: text({ ...sound, 'a.hello': 'Hi {{name}}' }) })).toEqual([
      'agent: a.hello is missing, or reads otherwise than for customers, in en',
    ]);
  });
});
