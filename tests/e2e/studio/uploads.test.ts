import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/http/person.ts';
import { heicFile } from '../../support/pictures/heic-files.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import type { SiteWindow } from '../site/site-window.ts';
import { describeSite } from '../site/site-world.ts';
import {
  chooseFiles,
  dropFiles,
  holdUploads,
  photoFiles,
  photoNames,
  stage,
  studioPath,
  uploadsDone,
} from './studio-window.ts';

/** The drawn photos as the page names them. */
const DRAWN = ['1. Bedroom', '2. Living room', '3. Dining room', '4. Kitchen', '5. Bathroom'];

/** Photos in the studio: how they get in, what is refused, their order and rooms, and the order of pictures. */
describeSite('photos in the studio', (site) => {
  async function openPhotos(columns: Record<string, unknown> = {}): Promise<{
    window: SiteWindow;
    page: Page;
    agent: Person;
    propertyId: string;
  }> {
    const agent = await site().signedIn();
    const propertyId = await seedProperty(site().host.pool, { ownerAgentId: agent.id, ...columns });
    const window = await site().open({ as: agent });
    await window.go(studioPath(propertyId));
    return { window, page: window.page, agent, propertyId };
  }
  const photosOf = (propertyId: string) =>
    site().host.rows<{ id: string; roomType: string | null; isMain: boolean }>(
      `select id, "roomType", "isMain" from property_images where "propertyId" = $1 and not "isStyled"
       order by position`,
      [propertyId],
    );
  const reaches = (read: () => Promise<unknown>, wanted: unknown) =>
    eventually(
      async () => {
        expect(await read()).toEqual(wanted);
        return true;
      },
      { what: JSON.stringify(wanted), intervalMs: 200 },
    );

  test('a dropped folder is taken in the order of its names, with the rooms that they tell', async () => {
    const { window, page, propertyId } = await openPhotos();
    const [one = ''] = await photoFiles(1);
    const folder = join(temporaryDirectory(), 'house');
    mkdirSync(join(folder, 'upstairs'), { recursive: true });
    const names = [
      '10 bath.jpg',
      '2_living-room.jpg',
      '3 patio from the kitchen.jpg',
      'upstairs/1 master bedroom.jpg',
      'upstairs/.hidden.jpg',
    ];
    for (const [index, name] of names.entries())
      await writeFile(
        join(folder, name),
        await sharp(one)
          .modulate({ brightness: 1 + index / 20 })
          .jpeg()
          .toBuffer(),
      );
    await dropFiles(window, [folder]);
    await uploadsDone(page);
    await reaches(() => photoNames(page), ['1. Bedroom', '2. Living room', '3. Patio', '4. Bathroom']);
    await reaches(
      async () => (await photosOf(propertyId)).map(({ roomType }) => roomType),
      ['BEDROOM', 'LIVING_ROOM', null, 'BATHROOM'],
    );
    await window.close();
  });

  test('what is no photo, or a broken or too large one, is refused with its reason; the others are stored', async () => {
    const { window, page, propertyId } = await openPhotos();
    const folder = temporaryDirectory();
    const [good = ''] = await photoFiles(1);
    await writeFile(join(folder, 'notes.txt'), 'no photo');
    await writeFile(join(folder, 'broken.jpg'), readFileSync(good).subarray(0, 3_000));
    await writeFile(join(folder, 'huge.jpg'), randomBytes(26 * 1024 * 1024));
    await writeFile(join(folder, 'wide.heic'), heicFile({ claims: { width: 20_000, height: 4_000 } }));
    await writeFile(join(folder, 'hall.heic'), heicFile());
    await copyFile(good, join(folder, 'kitchen.jpg'));
    await chooseFiles(
      page,
      ['notes.txt', 'broken.jpg', 'huge.jpg', 'wide.heic', 'hall.heic', 'kitchen.jpg'].map((name) =>
        join(folder, name),
      ),
    );
    await page.getByText('This photo is damaged and can’t be read.').waitFor();
    const line = (name: string) => page.locator('.studio-upload', { hasText: name }).innerText();
    expect(await line('notes.txt')).toContain('Only JPEG, PNG, WebP, AVIF and HEIC photos are accepted.');
    expect(await line('huge.jpg')).toContain('This photo is too large');
    await page.getByText('Export it as JPEG, then upload that file.').waitFor();
    await reaches(async () => (await photosOf(propertyId)).length, 2);
    await page.getByRole('button', { name: 'Remove notes.txt from the list' }).click();
    expect(await page.locator('.studio-upload').count()).toBe(3);
    // A page after this one does not try them again.
    await page.reload();
    await page.locator('.photo-tile').first().waitFor();
    expect(await page.locator('.studio-upload').count()).toBe(0);
    await window.close();
  });

  test('an upload whose answer was lost is sent again whole, with its key, and stored once, in its place', async () => {
    const { window, page, propertyId } = await openPhotos();
    const keys: string[] = [];
    page.on('request', (request) => {
      const key = request.headers()['idempotency-key'];
      if (request.method() === 'POST' && key !== undefined) keys.push(key);
    });
    const firstStored = Promise.withResolvers<void>();
    await holdUploads(window, {
      sent: async (attempt) => {
        if (attempt > 1) await firstStored.promise;
      },
      answered: async (attempt) => {
        if (attempt > 1) return 'heard';
        firstStored.resolve();
        return 'lost';
      },
    });
    await chooseFiles(page, await photoFiles(2));
    await uploadsDone(page);
    expect(keys.length).toBe(3);
    expect(keys[0]).toBe(keys[2]);
    await reaches(() => photoNames(page), DRAWN.slice(0, 2));
    expect((await photosOf(propertyId)).length).toBe(2);
    await window.close();
  });

  test('photos stand in the order chosen, the first as the cover, whichever is stored and answered first', async () => {
    const { window, page, propertyId } = await openPhotos();
    const secondStored = Promise.withResolvers<void>();
    await holdUploads(window, {
      sent: async (attempt) => {
        if (attempt === 1) await secondStored.promise;
      },
      answered: async (attempt) => {
        if (attempt === 2) {
          secondStored.resolve();
          // The page asks for the photos when it has the first one's answer.
          await page.locator('.photo-tile').nth(1).waitFor();
        }
        return 'heard';
      },
    });
    await chooseFiles(page, await photoFiles(2));
    await uploadsDone(page);
    await reaches(() => photoNames(page), DRAWN.slice(0, 2));
    await reaches(
      async () => (await photosOf(propertyId)).map(({ roomType, isMain }) => [roomType, isMain]),
      [
        ['BEDROOM', true],
        ['LIVING_ROOM', false],
      ],
    );
    await window.close();
  });

  test('photos that were on their way go on after a reload, in their places, and go when the agent signs out', async () => {
    const { window, page, propertyId } = await openPhotos();
    await holdUploads(window, {
      sent: (attempt) => (attempt === 1 ? new Promise(() => {}) : Promise.resolve()),
    });
    await chooseFiles(page, await photoFiles(3));
    await reaches(() => photoNames(page), ['1. Living room', '2. Dining room']);
    await page.getByText('Uploading 1 photo').waitFor();
    await page.reload();
    await uploadsDone(page);
    await reaches(() => photoNames(page), DRAWN.slice(0, 3));
    expect((await photosOf(propertyId)).length).toBe(3);

    await page.route('**/api/property-images', (route) => route.abort());
    await chooseFiles(page, await photoFiles(2));
    await page.getByText('Uploading 2 photos').waitFor();
    await page.getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    // The browser deletes it when the last one who has it open lets go.
    await reaches(
      () =>
        page.evaluate(
          `indexedDB.databases().then((all) => all.map(({ name }) => name).filter((name) => name === 'studio'))`,
        ),
      [],
    );
    await window.close();
  });

  test('a photo on its way in a window that is closed goes on in another one', async () => {
    const { window, page, propertyId } = await openPhotos();
    const other = await window.context.newPage();
    await other.goto(studioPath(propertyId));
    await holdUploads({ ...window, page: other }, { sent: () => new Promise(() => {}) });
    await chooseFiles(other, await photoFiles(1));
    await other.getByText('Uploading 1 photo').waitFor();
    await page.reload();
    await reaches(() => page.evaluate('navigator.locks.query().then(({ pending }) => pending.length)'), 1);
    await other.close();
    await reaches(() => photoNames(page), DRAWN.slice(0, 1));
    expect((await photosOf(propertyId)).length).toBe(1);
    await window.close();
  });

  test('photos are ordered by dragging, alone and together, and by keyboard; the first one is the cover', async () => {
    const { window, page, propertyId } = await openPhotos();
    await chooseFiles(page, await photoFiles(4));
    await uploadsDone(page);
    // As their names: several come at once, and each is put into its place.
    await reaches(
      async () => (await photosOf(propertyId)).map(({ roomType }) => roomType),
      ['BEDROOM', 'LIVING_ROOM', 'DINING_ROOM', 'KITCHEN'],
    );
    await reaches(() => photoNames(page), DRAWN.slice(0, 4));
    const first = (await photosOf(propertyId)).map(({ id }) => id);
    const ids = async () => (await photosOf(propertyId)).map(({ id }) => id);
    const covers = async () => (await photosOf(propertyId)).map(({ isMain }) => isMain);
    await page.locator('.photo-tile').nth(0).dragTo(page.locator('.photo-tile').nth(2));
    await reaches(ids, [first[1], first[2], first[0], first[3]]);
    await reaches(covers, [true, false, false, false]);
    // What is chosen moves together.
    for (const index of [0, 3]) await page.locator('.photo-tile input').nth(index).check();
    await page.locator('.photo-tile').nth(3).dragTo(page.locator('.photo-tile').nth(1));
    await reaches(ids, [first[1], first[3], first[2], first[0]]);
    await page.getByRole('button', { name: 'Move later' }).click();
    await reaches(ids, [first[2], first[1], first[3], first[0]]);
    await reaches(covers, [true, false, false, false]);
    await page.getByRole('button', { name: 'Move later' }).click();
    await reaches(ids, [first[2], first[0], first[1], first[3]]);
    expect(await page.getByRole('button', { name: 'Move later' }).isDisabled()).toBe(true);
    for (const index of [2, 3]) await page.locator('.photo-tile input').nth(index).uncheck();
    const last = page.locator('.photo-tile input').nth(3);
    await last.focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Move earlier' }).focus();
    await page.keyboard.press('Enter');
    await reaches(ids, [first[2], first[0], first[3], first[1]]);
    await page.keyboard.press('Enter');
    await reaches(ids, [first[2], first[3], first[0], first[1]]);
    await page.getByRole('button', { name: 'Make cover' }).click();
    await reaches(ids, [first[3], first[2], first[0], first[1]]);
    await reaches(covers, [true, false, false, false]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await reaches(ids, [first[2], first[0], first[1]]);
    await window.close();
  });

  test('a photo is replaced in its place, with its room, as the cover; one that was interrupted loses nothing', async () => {
    const { window, page, propertyId } = await openPhotos();
    const [one = '', other = '', third = '', fourth = ''] = await photoFiles(4);
    await chooseFiles(page, [one, other]);
    await uploadsDone(page);
    await reaches(() => photoNames(page), DRAWN.slice(0, 2));
    const [cover, second] = (await photosOf(propertyId)).map(({ id }) => id);
    const replaceFirst = async (file: string): Promise<void> => {
      await page.locator('.photo-tile input').first().check();
      await page.getByRole('button', { name: 'Replace' }).click();
      await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await replaceFirst(third);
    await reaches(
      async () =>
        (await photosOf(propertyId)).map(({ id, roomType, isMain }) => [id === cover, roomType, isMain]),
      [
        [false, 'BEDROOM', true],
        [false, 'LIVING_ROOM', false],
      ],
    );
    const [replaced] = (await photosOf(propertyId)).map(({ id }) => id);
    await page.route(`**/api/property-images/${replaced}`, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 503, json: { errorCode: 'SERVICE_UNAVAILABLE' } })
        : route.fallback(),
    );
    await replaceFirst(fourth);
    await reaches(
      async () => (await photosOf(propertyId)).map(({ id }) => [replaced, second].indexOf(id)),
      [-1, 0, 1],
    );
    await window.close();
  });

  test('the same picture twice is named; the photos that are shown stand in the address, with their counts', async () => {
    const { window, page, propertyId } = await openPhotos();
    const folder = temporaryDirectory();
    const [one = '', other = ''] = await photoFiles(2);
    await copyFile(one, join(folder, '1.jpg'));
    await copyFile(other, join(folder, '2 kitchen.jpg'));
    await copyFile(one, join(folder, '3 bedroom.jpg'));
    await chooseFiles(
      page,
      ['1.jpg', '2 kitchen.jpg', '3 bedroom.jpg'].map((name) => join(folder, name)),
    );
    await uploadsDone(page);
    await reaches(() => photoNames(page), ['1. Photo of the property', '2. Kitchen', '3. Bedroom']);
    const tiles = page.locator('.photo-tile');
    await tiles.nth(0).getByText('Same picture as photo 3').waitFor();
    await tiles.nth(2).getByText('Same picture as photo 1').waitFor();
    expect(await tiles.nth(1).getByText('Same picture').count()).toBe(0);

    await page.getByRole('link', { name: 'Not staged 3' }).waitFor();
    await page.getByRole('link', { name: 'Waiting for review 0' }).waitFor();
    await page.getByRole('link', { name: 'Without a room 1' }).click();
    await page.waitForURL(/\?show=no-room$/);
    await reaches(() => photoNames(page), ['1. Photo of the property']);
    await page.reload();
    await reaches(() => photoNames(page), ['1. Photo of the property']);
    // It stays until it is done with, though it has a room now.
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.locator('.studio-staging select').selectOption('OFFICE');
    await page.getByRole('link', { name: 'Without a room 0' }).waitFor();
    await reaches(() => photoNames(page), ['1. Home office']);
    await page.getByRole('button', { name: 'Select none' }).first().click();
    await page.getByText('No photos here.').waitFor();
    await page.getByRole('link', { name: 'All 3' }).click();
    await reaches(() => tiles.count(), 3);
    expect((await photosOf(propertyId))[0]?.roomType).toBe('OFFICE');
    await window.close();
  });

  test('from the drop of twenty photos to all ordered: at most nine clicks and keys', async () => {
    const { window, page, propertyId } = await openPhotos();
    await dropFiles(window, await photoFiles(20));
    await uploadsDone(page, 240_000);
    await page.evaluate(`
      window.presses = 0;
      for (const type of ['mousedown', 'keydown']) addEventListener(type, (event) => { presses += event.isTrusted ? 1 : 0; }, true)`);
    await page.getByRole('button', { name: 'Select all' }).click();
    // The rooms that no file name tells: all photos get one. A list is opened, and its entry chosen.
    await page.locator('.studio-staging select').focus();
    await page.keyboard.press('l');
    await page.getByRole('radio', { name: 'Modern' }).click();
    await page.getByRole('button', { name: 'Stage 20 photos' }).click();
    await reaches(
      async () =>
        (
          await site().host.rows(`select from ai_jobs where "propertyId" = $1 and status = 'PENDING'`, [
            propertyId,
          ])
        ).length,
      20,
    );
    expect(await page.evaluate('presses')).toBeLessThanOrEqual(9);
    await window.close();
  });

  test('photos are chosen in ranges, and their rooms changed together', async () => {
    const { window, page, propertyId } = await openPhotos();
    await chooseFiles(page, await photoFiles(5));
    await uploadsDone(page);
    await reaches(() => photoNames(page), DRAWN);
    await page.locator('.photo-tile input').nth(1).check();
    await page
      .locator('.photo-tile input')
      .nth(3)
      .click({ modifiers: ['Shift'] });
    await page.getByText('3 photos selected').waitFor();
    const before = (await photosOf(propertyId)).map(({ roomType }) => roomType);
    await page.locator('.studio-staging select').selectOption('OFFICE');
    await reaches(
      async () => (await photosOf(propertyId)).map(({ roomType }) => roomType),
      [before[0], 'OFFICE', 'OFFICE', 'OFFICE', before[4]],
    );
    await page.locator('.studio-staging select').selectOption('Floor plan');
    await page.getByText('3 selected photos show no room that can be staged.').waitFor();
    expect(await page.getByRole('button', { name: 'Stage 0 photos' }).isDisabled()).toBe(true);
    await reaches(async () => (await photoNames(page)).slice(1, 3), ['2. Floor plan', '3. Floor plan']);
    await reaches(
      async () => (await photosOf(propertyId)).map(({ roomType }) => roomType),
      [before[0], null, null, null, before[4]],
    );
    await page.locator('.studio-staging select').selectOption('OFFICE');
    await page.getByRole('button', { name: 'Stage 3 photos' }).waitFor();
    await window.close();
  });

  test('an order waits for the change of a room; damaged memory of the browser does not end the page', async () => {
    const { window, page, propertyId } = await openPhotos();
    await page.evaluate(`localStorage.setItem('studio-order', '{')`);
    await page.reload();
    await chooseFiles(page, await photoFiles(1));
    await uploadsDone(page);
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByRole('radio', { name: 'Modern' }).check();
    const order = page.getByRole('button', { name: 'Stage 1 photo' });
    await eventually(() => order.isEnabled(), { what: 'the button' });
    const held: (() => void)[] = [];
    await page.route('**/api/property-images/*', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.fallback();
    });
    await page.locator('.studio-staging select').selectOption('OFFICE');
    await eventually(async () => held.length === 1 && (await order.isDisabled()), { what: 'the change' });
    held[0]?.();
    await eventually(() => order.isEnabled(), { what: 'the end of the change' });
    await order.click();
    await reaches(
      () =>
        site().host.rows(
          `select s."canonicalRoomType" as room from ai_room_staging_jobs s join ai_jobs j on j.id = s."aiJobId"
           where j."propertyId" = $1`,
          [propertyId],
        ),
      [{ room: 'OFFICE' }],
    );
    await window.close();
  });

  test('photos of one room are ordered as a group with one choice of furniture', async () => {
    const { window, page, propertyId } = await openPhotos();
    await chooseFiles(page, await photoFiles(2));
    await uploadsDone(page);
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.locator('.studio-staging select').selectOption('BEDROOM');
    await page.getByRole('radio', { name: 'Farmhouse' }).check();
    await page.getByRole('checkbox', { name: /^These photos show one room/ }).check();
    await page.getByText('Furniture for the room').click();
    await page.getByRole('checkbox', { name: 'Curtains' }).check();
    await page.getByRole('button', { name: 'Stage 2 photos' }).click();
    const groups = () =>
      site().host.rows<{ pieces: string[]; jobs: number }>(
        `select g.pieces, (select count(*)::int from ai_room_staging_jobs s where s."groupId" = g.id) as jobs
         from room_groups g where g."propertyId" = $1`,
        [propertyId],
      );
    await reaches(async () => (await groups()).map(({ jobs }) => jobs), [2]);
    expect((await groups())[0]?.pieces).toContain('curtains');
    // What failed is ordered again with the furniture of its room.
    await site().host.rows(
      `update ai_jobs set status = 'FAILED', phase = null, "errorCode" = 'PROVIDER_FAILED', "finishedAt" = now()
       where "propertyId" = $1`,
      [propertyId],
    );
    await window.go(studioPath(propertyId));
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await reaches(async () => (await groups()).map(({ jobs }) => jobs), [3]);
    await window.close();
  });

  test('a photo that cannot be staged is told before the order, and the others are ordered', async () => {
    const { window, page, propertyId } = await openPhotos();
    const folder = temporaryDirectory();
    const [good = ''] = await photoFiles(1);
    await sharp(good).resize(900, 400).jpeg().toFile(join(folder, 'kitchen-small.jpg'));
    await chooseFiles(page, [good, join(folder, 'kitchen-small.jpg')]);
    await uploadsDone(page);
    await page.getByText('This photo is too small to stage').waitFor();
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByText('1 selected photo can’t be staged').waitFor();
    await stage(page, { room: 'KITCHEN', style: 'Luxury' });
    await reaches(
      async () =>
        (await site().host.rows(`select from ai_jobs where "propertyId" = $1`, [propertyId])).length,
      1,
    );
    await page.getByText('In the queue').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('In the queue').waitFor({ state: 'detached' });
    await window.close();
  });

  describe('when staging is switched off', () => {
    test('the page says so, and orders nothing', async () => {
      const { window, page } = await openPhotos();
      await page.route('**/api/trpc/ai.getStagingCatalog*', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        body.result.data.json.enabled = false;
        await route.fulfill({ response, json: body });
      });
      await page.reload();
      await chooseFiles(page, await photoFiles(1));
      await uploadsDone(page);
      await page.getByText('Staging is turned off right now').first().waitFor();
      await page.getByRole('button', { name: 'Select all' }).click();
      await page.getByRole('radio', { name: 'Modern' }).check();
      expect(await page.getByRole('button', { name: 'Stage 1 photo' }).isDisabled()).toBe(true);
      await window.close();
    });
  });
});
