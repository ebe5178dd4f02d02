import { checkFile } from './check-file.ts';
import type { CheckAnswer, CheckRequest } from './file-checker.ts';
import { loadReader, readManifest } from './manifest.ts';
import { pictureKind } from './picture-kinds.ts';
import { smallRaster } from './pixels/decode.ts';
import { type Comparison, compared } from './pixels/likeness.ts';
import { loadPictures, type PictureAddresses, type RecordPictures } from './pixels/record-pictures.ts';

/** Checks files in a thread, so that the page stays usable whatever a file holds. The page ends it when it takes too long. */
const page = self as unknown as {
  onmessage: (event: MessageEvent<CheckRequest>) => void;
  postMessage(answer: CheckAnswer): void;
};

let isLoading = false;

/** What the network takes is not counted as work on the file. */
async function loading<T>(load: () => Promise<T>): Promise<T> {
  page.postMessage({ state: 'loading' });
  isLoading = true;
  const loaded = await load();
  isLoading = false;
  page.postMessage({ state: 'loaded' });
  return loaded;
}

/** A kind and a raster of a loaded copy. */
const rasterOf = async (picture: Blob) =>
  smallRaster(picture, pictureKind(new Uint8Array(await picture.slice(0, 16).arrayBuffer())) ?? '');

async function compare(file: Blob, { staged, original }: RecordPictures): Promise<Comparison> {
  if (original === null) return 'none';
  const [own, photo, made] = [
    await rasterOf(file),
    await rasterOf(original),
    staged === null ? null : await rasterOf(staged),
  ];
  if (own === null || photo === null || (staged !== null && made === null)) return 'notRead';
  return {
    ...compared(own, { staged: made, original: photo }),
    against: made === null ? 'original' : 'pair',
  };
}

async function check(file: File, pictures: PictureAddresses): Promise<void> {
  const checked = await checkFile(file, async (blob, found) => {
    await loading(loadReader);
    return readManifest(blob, found);
  });
  page.postMessage({ state: 'read', checked });
  if ('problem' in checked) return;
  const loaded = await loading(() => loadPictures(pictures));
  page.postMessage({ state: 'compared', comparison: await compare(file, loaded) });
}

page.onmessage = async ({ data: { file, pictures } }) => {
  isLoading = false;
  try {
    await check(file, pictures);
  } catch {
    // What broke is named by where it was; the page shows a sentence.
    const problem = isLoading ? 'provenance.check.notLoaded' : 'provenance.check.gaveUp';
    page.postMessage({ state: 'failed', problem });
  }
};
