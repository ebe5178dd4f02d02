import { useEffect, useSyncExternalStore } from 'react';
import type { BrowserSender } from '../../../app/browser-sender.ts';
import type { Site } from '../../../app/site.ts';
import { useSite } from '../../../app/use-site.ts';
import { problemKey } from '../problems.ts';
import { myListing, type Photo } from '../studio-queries.ts';
import { changePhoto } from './change-photo.ts';
import { openUploadStore } from './upload-store.ts';
import { createUploads, type Upload, type Uploads } from './uploads.ts';

/** One for a person and a document: uploads go on while other pages are shown. */
const running = new WeakMap<BrowserSender, { readonly personId: string; readonly uploads: Uploads }>();

function uploadsOf(site: Site, sender: BrowserSender, personId: string): Uploads {
  const known = running.get(sender);
  if (known?.personId === personId) return known.uploads;
  const uploads = createUploads({
    sender,
    personId,
    store: openUploadStore(),
    onStored: (photo, before) => void place(site, photo, before),
  });
  running.set(sender, { personId, uploads });
  return uploads;
}

/** Shows a new photo, in its place among those that were chosen with it. */
async function place({ api, queries, sender, notices }: Site, photo: Photo, before: string | null) {
  const query = myListing(api, photo.propertyId);
  try {
    if (before !== null && sender !== null) {
      const { photos } = await queries.fetchQuery(query);
      const position = photos.findIndex(({ imageId }) => imageId === before);
      if (position >= 0) await changePhoto(sender, photo.imageId, { position });
    }
  } catch (error) {
    notices.say(problemKey(error));
  }
  await queries.invalidateQueries({ queryKey: query.queryKey });
}

const NONE: readonly Upload[] = [];

/** The uploads of a listing, and what can be done with them. */
export function useUploads(personId: string, propertyId: string) {
  const site = useSite();
  const uploads = site.sender === null ? null : uploadsOf(site, site.sender, personId);
  useEffect(() => {
    // Where the browser keeps nothing there is nothing to go on with.
    void uploads?.resume().catch(() => undefined);
  }, [uploads]);
  const all = useSyncExternalStore(
    uploads?.subscribe ?? (() => () => {}),
    () => uploads?.current() ?? NONE,
    () => NONE,
  );
  return {
    items: all.filter((one) => one.propertyId === propertyId),
    add: (files: readonly File[]) => void uploads?.add(propertyId, files),
    retry: (key: string) => uploads?.retry(key),
    dismiss: (key: string) => void uploads?.dismiss(key),
  };
}
