/** What the drag of a photo within the page carries. Browsers add the file of its picture, which is no new photo. */
export const PHOTO_DRAG = 'application/x-studio-photo';

/** Whether something is dragged here that can be uploaded. */
export const hasFiles = ({ types }: Pick<DataTransfer, 'types'>): boolean =>
  types.includes('Files') && !types.includes(PHOTO_DRAG);

/** Far more than the photos of a listing; a whole disk that was dropped ends here. */
export const MOST_FILES = 500;

/**
 * The files of what was dropped, those in folders included; one more than `MOST_FILES` where there are more. Hidden
 * files are left out, and what cannot be read.
 */
export async function droppedFiles({ items }: Pick<DataTransfer, 'items'>): Promise<File[]> {
  // The entries are gone after the event, so they are taken before anything is waited for.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const files: File[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (files.length > MOST_FILES || entry.name.startsWith('.')) return;
    if (entry.isFile) {
      files.push(
        await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
      );
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    while (files.length <= MOST_FILES) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (some.length === 0) return;
      await walkAll(some);
    }
  };
  const walkAll = async (some: readonly FileSystemEntry[]): Promise<void> => {
    // One file without permission, or gone since, does not keep the others.
    for (const one of some) await walk(one).catch(() => undefined);
  };
  await walkAll(entries);
  return files;
}
