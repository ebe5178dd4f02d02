import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CANONICAL_ROOM_TYPES } from '../../../machines/vocabulary.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import type { SiteWindow } from '../site/site-window.ts';

/** What an agent does in the studio, in the words of its pages. */

/** Paths of so many photos of drawn rooms, named after the room. */
export async function photoFiles(count: number): Promise<string[]> {
  const folder = temporaryDirectory();
  const files: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const room = CANONICAL_ROOM_TYPES[index % CANONICAL_ROOM_TYPES.length] ?? 'BEDROOM';
    const size = index % 2 === 0 ? { width: 1200, height: 900 } : { width: 900, height: 1200 };
    const file = join(folder, `drawn-${String(index).padStart(2, '0')}-${room.toLowerCase()}.jpg`);
    await writeFile(file, await drawSampleRoom(room, { ...size, seed: index + 1 }));
    files.push(file);
  }
  return files;
}

/** The path of a listing's page in the studio. */
export const studioPath = (propertyId: string, page = ''): string =>
  page === '' ? `/studio/${propertyId}` : `/studio/${propertyId}/${page}`;

/** The field that takes photos; what a person's file dialog gives. */
export const chooseFiles = (page: Page, files: readonly string[]): Promise<void> =>
  page.locator('input[type=file][multiple]').setInputFiles([...files]);

/** Drops files or folders from the desktop onto the page's place for photos. */
export async function dropFiles({ page, context }: SiteWindow, files: readonly string[]): Promise<void> {
  const box = await page.locator('.studio-drop').boundingBox();
  if (box === null) throw new Error('there is no place for photos');
  const session = await context.newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
}

/** What happens to the tries of uploads, counted from 1. Each goes on when the promise has resolved. */
export interface UploadTries {
  sent?(attempt: number): Promise<void>;
  /** The server has answered, and the page has not heard it. */
  answered?(attempt: number): Promise<'heard' | 'lost'>;
}

/** Holds uploads back on their way to the server, and the server's answers on their way to the page. */
export async function holdUploads(
  { page, context }: SiteWindow,
  { sent = async () => {}, answered = async () => 'heard' }: UploadTries,
): Promise<void> {
  const session = await context.newCDPSession(page);
  const attempts = new Map<string, number>();
  let isHolding = false;
  session.on('Fetch.requestPaused', async ({ requestId, request, networkId = '', responseStatusCode }) => {
    if (request.method === 'GET') {
      isHolding = true;
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    } else if (responseStatusCode === undefined) {
      attempts.set(networkId, attempts.size + 1);
      await sent(attempts.size);
      await session.send('Fetch.continueRequest', { requestId });
    } else if ((await answered(attempts.get(networkId) ?? 0)) === 'heard')
      await session.send('Fetch.continueResponse', { requestId });
    else await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
  });
  const urlPattern = '*/api/property-images';
  const patterns = (['Request', 'Response'] as const).map((requestStage) => ({ urlPattern, requestStage }));
  // On a busy machine the page sends its next requests past this, or all of them.
  await eventually(
    async () => {
      await session.send('Fetch.disable');
      await session.send('Fetch.enable', { patterns });
      await page.evaluate(`fetch('/api/property-images').then(() => null, () => null)`);
      return isHolding;
    },
    { what: 'the page to be held back' },
  );
}

/** Waits until no file is on its way. */
export async function uploadsDone(page: Page, timeout = 120_000): Promise<void> {
  await page.locator('.photo-tile').first().waitFor({ timeout });
  await page.locator('.studio-uploads').waitFor({ state: 'detached', timeout });
}

/** The photos that the page shows, as their names: `3. Kitchen`. */
export const photoNames = (page: Page): Promise<string[]> => page.locator('.photo-tile > p').allInnerTexts();

/** Chooses room and style of the chosen photos, and orders them. */
export async function stage(
  page: Page,
  { room, style }: { readonly room?: string; readonly style: string },
): Promise<void> {
  if (room !== undefined) await page.locator('.studio-staging select').selectOption(room);
  await page.getByRole('radio', { name: style }).check();
  await page.getByRole('button', { name: /^Stage \d+ photos?$/ }).click();
}
