/** Far more than the photos of a listing; a whole disk that was dropped ends here. */
const MOST_FILES = 500;

/** The files of what was dropped, those in folders included. Hidden files are left out. */
export async function droppedFiles({ items }: DataTransfer): Promise<File[]> {
  // The entries are gone after the event, so they are taken before anything is waited for.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const files: File[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (files.length >= MOST_FILES || entry.name.startsWith('.')) return;
    if (entry.isFile) {
      files.push(
        await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
      );
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (some.length === 0) return;
      for (const one of some) await walk(one);
    }
  };
  for (const entry of entries) await walk(entry);
  return files;
}
