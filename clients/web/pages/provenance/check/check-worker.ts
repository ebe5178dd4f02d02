import { checkFile } from './check-file.ts';
import type { CheckAnswer, CheckRequest } from './file-checker.ts';
import { loadReader, readManifest } from './manifest.ts';

/** Checks files beside the page, which stays usable whatever a file holds. The page ends this when it takes too long. */
const page = self as unknown as {
  onmessage: (event: MessageEvent<CheckRequest>) => void;
  postMessage(answer: CheckAnswer): void;
};

page.onmessage = async ({ data: { file, authority } }) => {
  let isLoaded = true;
  try {
    const checked = await checkFile(file, async (bytes, type) => {
      isLoaded = false;
      page.postMessage({ state: 'loading' });
      await loadReader();
      isLoaded = true;
      page.postMessage({ state: 'loaded' });
      return readManifest(bytes, type, authority);
    });
    page.postMessage({ state: 'checked', checked });
  } catch {
    // What broke is named by where it was; the page shows a sentence.
    const problem = isLoaded ? 'provenance.check.gaveUp' : 'provenance.check.notLoaded';
    page.postMessage({ state: 'failed', problem });
  }
};
