import { describe, expect, test } from 'vitest';
import { type Audience, createLanguage } from '../../../../../clients/web/app/language.ts';
import { guessRoom } from '../../../../../clients/web/pages/studio/photos/room-guess.ts';
import {
  monthAfter,
  placedTours,
  readDay,
  readMonth,
  weeksOf,
} from '../../../../../clients/web/pages/studio/tours/month.ts';

/** Rooms in file names, days of tours, and the words of the studio. */

describe('the room that a file name tells', () => {
  test.each([
    ['12_Living-Room.jpg', 'LIVING_ROOM'],
    ['family room (3).jpeg', 'LIVING_ROOM'],
    ['LivingRoom2.jpg', 'LIVING_ROOM'],
    ['Sala.jpg', 'LIVING_ROOM'],
    ['Salón principal.png', 'LIVING_ROOM'],
    ['bedroom2.jpg', 'BEDROOM'],
    ['MASTER BEDROOM.JPG', 'BEDROOM'],
    ['Recámara 1.webp', 'BEDROOM'],
    ['Habitacio\u0301n.jpg', 'BEDROOM'],
    ['primary-bath.jpg', 'BATHROOM'],
    ['Baño de visitas.jpg', 'BATHROOM'],
    ['guestBathroom01.jpg', 'BATHROOM'],
    ['kitchen-2.jpg', 'KITCHEN'],
    ['003_cocina.avif', 'KITCHEN'],
    ['diningroom.jpg', 'DINING_ROOM'],
    ['Dining Room.jpg', 'DINING_ROOM'],
    ['comedor.jpg', 'DINING_ROOM'],
    ['home_office.jpg', 'OFFICE'],
    ['despacho.jpg', 'OFFICE'],
    ['TVRoom.jpg', 'TV_ROOM'],
    ['media-room.jpg', 'TV_ROOM'],
  ])('%s is a %s', (name, room) => {
    expect(guessRoom(name)).toBe(room);
  });

  test.each([
    'IMG_1234.JPG',
    'DSC0001.jpg',
    'front.jpg',
    'garden_shed.jpg',
    'embedded.jpg',
    '.jpg',
    '',
    '卧室.jpg',
    `${'a'.repeat(10_000)}.jpg`,
  ])('%.30s tells none', (name) => {
    expect(guessRoom(name)).toBeNull();
  });
});

describe('the months of the calendar', () => {
  test('follow each other over the years', () => {
    expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1), monthAfter('2026-03', -14)]).toEqual([
      '2027-01',
      '2025-12',
      '2025-01',
    ]);
  });

  test('have whole weeks from Sunday to Saturday', () => {
    const weeks = weeksOf('2026-11');
    expect([weeks[0]?.[0], weeks.at(-1)?.at(-1), weeks.length]).toEqual(['2026-11-01', '2026-12-05', 5]);
    // A month that begins on a Saturday has six.
    expect([weeksOf('2026-08')[0]?.[0], weeksOf('2026-08').length]).toEqual(['2026-07-26', 6]);
    // Four where February begins on a Sunday.
    expect(weeksOf('2026-02').flat()).toHaveLength(28);
  });

  test.each(['', '2026-13', '2026-1', '0000-01', '99999-01', 'x', undefined, ['2026-01'], 202601])(
    'are none for %j in an address',
    (text) => {
      expect(readMonth(text)).toBeUndefined();
    },
  );

  test.each(['', '2026-02-30', '2026-1-1', '2026-13-01', '0001-01-01', 'today', undefined, ['2026-01-01']])(
    'have no day %j',
    (text) => {
      expect(readDay(text)).toBeUndefined();
    },
  );

  test('are read from an address', () => {
    expect([readMonth('2026-02'), readDay('2028-02-29')]).toEqual(['2026-02', '2028-02-29']);
  });
});

describe('the day of a tour', () => {
  const slot = (startsAt: string) => ({ startsAt, endsAt: startsAt });
  const days = (tour: object) => placedTours([tour as never]).map(({ day }) => day);

  test('is that of the home’s own zone', () => {
    const slots = [slot('2026-11-24T03:00:00.000Z')];
    const on = (timeZone: string) => days({ heldSlot: null, slots, timeZone });
    expect([on('America/Los_Angeles'), on('UTC'), on('Pacific/Auckland')]).toEqual([
      ['2026-11-23'],
      ['2026-11-24'],
      ['2026-11-24'],
    ]);
  });

  test('is every day that is proposed, once each, until one is agreed on', () => {
    const slots = ['2026-11-23T18:00:00Z', '2026-11-23T20:00:00Z', '2026-11-25T18:00:00Z'].map(slot);
    expect(days({ heldSlot: null, slots, timeZone: 'UTC' })).toEqual(['2026-11-23', '2026-11-25']);
    expect(days({ heldSlot: slots[2], slots, timeZone: 'UTC' })).toEqual(['2026-11-25']);
    expect(days({ heldSlot: null, slots: [], timeZone: 'UTC' })).toEqual([]);
  });
});

describe('the words of the studio', () => {
  /** Loads come when the test lets them. */
  function languageWith(audience: Audience = 'user') {
    const loads: { readonly what: string; come(): void; fail(): void }[] = [];
    const language = createLanguage({ locale: 'en', audience, catalog: { word: 'en user' } }, (...what) => {
      const name = what.join(' ');
      return new Promise((resolve, reject) =>
        loads.push({
          what: name,
          come: () => resolve({ word: name }),
          fail: () => reject(new Error(`no ${name}`)),
        }),
      );
    });
    const shown: string[] = [];
    language.subscribe(() => shown.push(language.text.t('word')));
    return { language, loads, shown, names: () => loads.map(({ what }) => what) };
  }

  test('are added once, and every page that needs them waits for them', async () => {
    const { language, loads, shown, names } = languageWith();
    const ready: string[] = [];
    const both = ['one', 'other'].map((name) => language.addAgentWords().then(() => ready.push(name)));
    await Promise.resolve();
    expect([names(), ready]).toEqual([['en agent'], []]);
    loads[0]?.come();
    await Promise.all(both);
    await language.addAgentWords();
    expect([names(), shown]).toEqual([['en agent'], ['en agent']]);
  });

  test('are kept when the language is switched', async () => {
    const { language, loads, shown } = languageWith('agent');
    const switched = language.switchTo('es');
    loads[0]?.come();
    await switched;
    await language.switchTo('es');
    await language.addAgentWords();
    expect([shown, loads.length, language.text.locale]).toEqual([['es agent'], 1, 'es']);
  });

  test('are asked for again after they could not be loaded', async () => {
    const { language, loads, names } = languageWith();
    const failed = language.addAgentWords();
    loads[0]?.fail();
    await expect(failed).rejects.toThrow('no en agent');
    const second = language.addAgentWords();
    loads[1]?.come();
    await second;
    expect([names(), language.text.t('word')]).toEqual([['en agent', 'en agent'], 'en agent']);
  });

  test('come in the language that was chosen last, whichever is loaded first', async () => {
    const { language, loads, shown } = languageWith();
    const added = language.addAgentWords();
    const switched = language.switchTo('es');
    loads[1]?.come();
    await switched;
    loads[0]?.come();
    await added;
    expect([shown, language.text.locale]).toEqual([['es agent'], 'es']);
  });
});
