import { useEffect, useSyncExternalStore } from 'react';
import { systemTiming } from '../../../../typescript/timing.ts';
import type { BrowserSender } from '../../../api/browser-sender.ts';
import { problemKey } from '../../../api/failures.ts';
import { me } from '../../../session/person.ts';
import type { Site } from '../../../site/site.ts';
import { useSite } from '../../../site/use-site.ts';
import { changePhoto, deletePhoto } from '../change-photo.ts';
import { myListing, type Photo } from '../studio-queries.ts';
import { MOST_FILES } from './dropped-files.ts';
import { type ChosenPhoto, canBeCover, coverOf, placeOf } from './photo-place.ts';
import { sendPhoto } from './send-photo.ts';
import { claimUpload } from './upload-claims.ts';
import { openUploadStore } from './upload-store.ts';
import { createUploads, type Upload, type Uploads } from './uploads.ts';

/** One for a person and a document: uploads continue while other pages are shown. */
const running = new WeakMap<BrowserSender, { readonly personId: string; readonly uploads: Uploads }>();

function uploadsOf(site: Site, sender: BrowserSender, personId: string): Uploads {
  const known = running.get(sender);
  if (known?.personId === personId) return known.uploads;
  const uploads = createUploads({
    sender,
    personId,
    isSignedIn: () => site.queries.getQueryData(me(site).queryKey)?.id === personId,
    store: openUploadStore(),
    claim: claimUpload,
    send: sendPhoto,
    timing: systemTiming,
    newKey: () => crypto.randomUUID(),
    online,
    onStored: (photo, chosen) => place(site, photo, chosen),
  });
  running.set(sender, { personId, uploads });
  return uploads;
}

/** Shows a new photo, in its place among those that were chosen with it, the first of which is to be the cover. */
async function place({ api, queries, sender, notices }: Site, photo: Photo, chosen: readonly ChosenPhoto[]) {
  const { imageId, propertyId } = photo;
  const { replacesId } = chosen.find((one) => one.imageId === imageId) ?? {};
  try {
    if (replacesId !== undefined && sender !== null) await replace(api, sender, { photo, replacesId });
    else if (chosen.length > 1 && sender !== null) {
      // Answers do not come in the order in which photos were stored, so the server says how they stand. It is not asked
      // by the query, whose answer may be older or be called off.
      const { photos } = await api.properties.getMine({ propertyId });
      const listed = photos.map((one) => one.imageId);
      const position = placeOf(imageId, { listed, chosen: chosen.map((one) => one.imageId) });
      if (position !== null) await changePhoto(sender, imageId, { position });
      const cover = coverOf(photos.find(({ isMain }) => isMain)?.imageId, chosen);
      if (cover !== null) await changePhoto(sender, cover, { isMain: true });
    }
  } catch (error) {
    notices.say(problemKey(error));
  }
  await queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey });
}

interface Replacement {
  /** The new photo, which is stored and stands at the end. */
  readonly photo: Photo;
  readonly replacesId: string;
}

/**
 * Puts a new photo into the place of another one, and deletes that one last: whatever ends this in between, no photo is
 * lost, and the same upload does it again. A photo that is gone has no place any more: the new one stays at the end.
 */
async function replace(
  api: Site['api'],
  sender: BrowserSender,
  { photo: { imageId, propertyId }, replacesId }: Replacement,
): Promise<void> {
  const { photos } = await api.properties.getMine({ propertyId });
  const position = photos.findIndex((one) => one.imageId === replacesId);
  if (position < 0) return;
  const placed = photos.find((one) => one.imageId === imageId);
  const isCover = photos[position]?.isMain === true && placed !== undefined && canBeCover(placed);
  await changePhoto(sender, imageId, { position, ...(isCover ? { isMain: true } : {}) });
  await deletePhoto(sender, replacesId);
}

/** Resolves while the device has a network. @throws the signal's reason */
function online(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve, reject) => {
    addEventListener('online', () => resolve(), { signal, once: true });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const NONE: readonly Upload[] = [];

/** The uploads of a listing, and what can be done with them. */
export function useUploads(personId: string, propertyId: string) {
  const site = useSite();
  const uploads = site.sender === null ? null : uploadsOf(site, site.sender, personId);
  useEffect(() => {
    // Where the browser keeps nothing there is nothing to continue.
    void uploads?.resume().catch(() => undefined);
  }, [uploads]);
  const all = useSyncExternalStore(
    uploads?.subscribe ?? (() => () => {}),
    () => uploads?.current() ?? NONE,
    () => NONE,
  );
  return {
    items: all.filter((one) => one.propertyId === propertyId),
    add: (files: readonly File[]) => {
      if (files.length > MOST_FILES) site.notices.say('studio.upload.most');
      void uploads?.add(propertyId, files.slice(0, MOST_FILES));
    },
    /** Sends a file whose photo is to stand in the place of another one. */
    replace: (file: File, replaced: Photo) => void uploads?.add(propertyId, [file], replaced),
    retry: (key: string) => void uploads?.retry(key),
    dismiss: (key: string) => void uploads?.dismiss(key),
  };
}
