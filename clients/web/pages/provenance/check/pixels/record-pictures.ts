/** The addresses of a record's public pictures, small; null for one that is not public. */
export interface PictureAddresses {
  readonly staged: string | null;
  readonly original: string | null;
}

export interface RecordPictures {
  readonly staged: Blob | null;
  readonly original: Blob | null;
}

/** Loads what is public now: a picture that was withdrawn since the page was loaded is answered 404. */
export async function loadPictures({ staged, original }: PictureAddresses): Promise<RecordPictures> {
  const [one, other] = await Promise.all([load(staged), load(original)]);
  return { staged: one, original: other };
}

/** @throws Error when it cannot be loaded */
async function load(address: string | null): Promise<Blob | null> {
  if (address === null) return null;
  const response = await fetch(address);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`A picture was answered with ${response.status}`);
  return response.blob();
}
